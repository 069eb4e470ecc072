{{- /* The settings of the base, with those of the values over them. */ -}}
{{- define "lectern.settings" -}}
{{- $settings := dict -}}
{{- range $line := .Files.Lines "settings.env" -}}
{{- if and $line (not (hasPrefix "#" $line)) -}}
{{- $pair := splitn "=" 2 $line -}}
{{- $_ := set $settings $pair._0 $pair._1 -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := .Values.settings -}}
{{- /* Numbers are floating-point here: 1500000 would become 1.5e+06. */ -}}
{{- $whole := and (kindIs "float64" $value) (eq (toString $value) (toString (floor $value))) -}}
{{- $_ := set $settings $name (ternary (int64 $value | toString) (toString $value) $whole) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}
