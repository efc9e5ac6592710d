{{- define "sluice-durabletask-host.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "sluice-durabletask-host.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sluice-durabletask-host.labels" -}}
{{ include "sluice-durabletask-host.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "sluice-durabletask-host.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "sluice-durabletask-host.fullname" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "sluice-durabletask-host.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* What no value can say right by itself. */}}
{{- define "sluice-durabletask-host.check" -}}
{{- if not .Values.cosmos.endpoint }}{{ fail "cosmos.endpoint: name the account, https://<account>.documents.azure.com:443/" }}{{ end }}
{{- if and (eq .Values.cosmos.auth "key") (not .Values.cosmos.existingSecret) }}{{ fail "cosmos.existingSecret: name a secret with the account's key, or set cosmos.auth to aad" }}{{ end }}
{{- if and (eq .Values.cosmos.auth "aad") .Values.workloadIdentity.enabled (not .Values.workloadIdentity.clientId) }}{{ fail "workloadIdentity.clientId: name the identity" }}{{ end }}
{{- if and (not .Values.tls.existingSecret) (not .Values.allowPlaintext) }}{{ fail "tls.existingSecret: name a secret with tls.crt and tls.key, or set allowPlaintext to true" }}{{ end }}
{{- if and .Values.tls.clientAuthoritiesSecret (not .Values.tls.existingSecret) }}{{ fail "tls.clientAuthoritiesSecret: needs tls.existingSecret" }}{{ end }}
{{- if and .Values.kafka.bootstrapServers (ne (len .Values.kafka.prefixes) (len .Values.taskHubs)) }}{{ fail (printf "kafka.prefixes: must be one for each task hub, %d, were %d" (len .Values.taskHubs) (len .Values.kafka.prefixes)) }}{{ end }}
{{- if .Values.keda.enabled }}
{{- if not .Values.keda.prometheus }}{{ fail "keda.prometheus: name the Prometheus that KEDA asks, http://prometheus.monitoring.svc:9090" }}{{ end }}
{{- if gt (int .Values.keda.minReplicas) (int .Values.keda.maxReplicas) }}{{ fail (printf "keda.minReplicas: must be at most keda.maxReplicas, %d, was %d" (int .Values.keda.maxReplicas) (int .Values.keda.minReplicas)) }}{{ end }}
{{- $name := include "sluice-durabletask-host.fullname" . }}
{{- /* KEDA's own is labelled so. There are none where no cluster is asked, as by helm template. */}}
{{- range (lookup "autoscaling/v2" "HorizontalPodAutoscaler" .Release.Namespace "").items }}
{{- if and (eq .spec.scaleTargetRef.name $name) (not (index (.metadata.labels | default dict) "scaledobject.keda.sh/name")) }}{{ fail (printf "keda.enabled: the HorizontalPodAutoscaler '%s' scales '%s' already, and two would undo each other's work: delete it, or leave KEDA off" .metadata.name $name) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Variables of a replica, and of the job. */}}
{{- define "sluice-durabletask-host.environment" -}}
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
- name: SLUICE_HOST_TASK_HUBS
  value: {{ join "," .Values.taskHubs | quote }}
{{- if eq .Values.cosmos.auth "key" }}
- name: COSMOS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .Values.cosmos.existingSecret }}
      key: {{ .Values.cosmos.existingSecretKey }}
{{- end }}
- name: JAVA_TOOL_OPTIONS
  value: {{ .Values.javaOptions | quote }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "sluice-durabletask-host.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "sluice-durabletask-host.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end }}
