{{- define "sluice-relay.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "sluice-relay.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sluice-relay.labels" -}}
{{ include "sluice-relay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "sluice-relay.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "sluice-relay.fullname" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "sluice-relay.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* What no value can say right by itself. */}}
{{- define "sluice-relay.check" -}}
{{- if not .Values.cosmos.endpoint }}{{ fail "cosmos.endpoint: name the account, https://<account>.documents.azure.com:443/" }}{{ end }}
{{- if not .Values.kafka.bootstrapServers }}{{ fail "kafka.bootstrapServers: name the brokers, broker-1:9092,broker-2:9092" }}{{ end }}
{{- if not .Values.ops.existingSecret }}{{ fail "ops.existingSecret: name a secret with the operators' token" }}{{ end }}
{{- if and (eq .Values.cosmos.auth "key") (not .Values.cosmos.existingSecret) }}{{ fail "cosmos.existingSecret: name a secret with the account's key, or set cosmos.auth to aad" }}{{ end }}
{{- if and (eq .Values.cosmos.auth "aad") .Values.workloadIdentity.enabled (not .Values.workloadIdentity.clientId) }}{{ fail "workloadIdentity.clientId: name the identity" }}{{ end }}
{{- if lt (int .Values.terminationGracePeriodSeconds) (add (int .Values.drainSeconds) 10) }}{{ fail (printf "terminationGracePeriodSeconds: must be at least drainSeconds + 10 = %d, was %d" (add (int .Values.drainSeconds) 10) (int .Values.terminationGracePeriodSeconds)) }}{{ end }}
{{- if .Values.keda.enabled }}
{{- if not .Values.keda.prometheus }}{{ fail "keda.prometheus: name the Prometheus that KEDA asks, http://prometheus.monitoring.svc:9090" }}{{ end }}
{{- if lt (int .Values.keda.ranges) 1 }}{{ fail "keda.ranges: say how many physical partitions the container has; a relay beyond them has no range" }}{{ end }}
{{- if gt (int .Values.keda.minReplicas) (int .Values.keda.ranges) }}{{ fail (printf "keda.minReplicas: must be at most keda.ranges, %d, was %d: a relay beyond the ranges has none" (int .Values.keda.ranges) (int .Values.keda.minReplicas)) }}{{ end }}
{{- if gt (int .Values.keda.minReplicas) (int .Values.keda.maxReplicas) }}{{ fail (printf "keda.minReplicas: must be at most keda.maxReplicas, %d, was %d" (int .Values.keda.maxReplicas) (int .Values.keda.minReplicas)) }}{{ end }}
{{- $name := include "sluice-relay.fullname" . }}
{{- /* KEDA's own is labelled so. There are none where no cluster is asked, as by helm template. */}}
{{- range (lookup "autoscaling/v2" "HorizontalPodAutoscaler" .Release.Namespace "").items }}
{{- if and (eq .spec.scaleTargetRef.name $name) (not (index (.metadata.labels | default dict) "scaledobject.keda.sh/name")) }}{{ fail (printf "keda.enabled: the HorizontalPodAutoscaler '%s' scales '%s' already, and two would undo each other's work: delete it, or leave KEDA off" .metadata.name $name) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Variables of a replica, and of the job, which is told what it may make. */}}
{{- define "sluice-relay.environment" -}}
- name: COSMOS_ENDPOINT
  value: {{ .Values.cosmos.endpoint | quote }}
- name: COSMOS_AUTH
  value: {{ .Values.cosmos.auth | quote }}
{{- if .Values.cosmos.mode }}
- name: COSMOS_MODE
  value: {{ .Values.cosmos.mode | quote }}
{{- end }}
- name: COSMOS_DATABASE
  value: {{ .Values.cosmos.database | quote }}
- name: COSMOS_CONTAINER
  value: {{ .Values.cosmos.container | quote }}
{{- if eq .Values.cosmos.auth "key" }}
- name: COSMOS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .Values.cosmos.existingSecret }}
      key: {{ .Values.cosmos.existingSecretKey }}
{{- end }}
- name: KAFKA_BOOTSTRAP_SERVERS
  value: {{ .Values.kafka.bootstrapServers | quote }}
- name: SLUICE_PREFIX
  value: {{ .Values.prefix | quote }}
- name: SLUICE_DISPATCH_ENABLED
  value: {{ .Values.dispatch.enabled | quote }}
- name: SLUICE_STREAMS
  value: {{ .Values.streams.enabled | quote }}
- name: JAVA_TOOL_OPTIONS
  value: {{ .Values.javaOptions | quote }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "sluice-relay.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "sluice-relay.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end }}
