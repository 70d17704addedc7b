import { Badge, Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { listQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { FieldsForm } from '../generic/fields-form.tsx'
import { ObjectDetail } from '../generic/object-detail.tsx'
import { formOf, sentOf } from '../generic/values.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { showToast } from '../ui/toasts.tsx'
import type { SettingModel } from './settings.ts'

type AiRecord = Readonly<Record<string, unknown>> & { readonly type: string; readonly last_updated_at: string | null }

/** The language model configurations, each saved as a whole. */
export function AiSettings({ settings }: { readonly settings: readonly SettingModel[] }) {
  const records = useQuery(listQuery<AiRecord>('configurations/ai'))
  if (records.error) return <ErrorFaults error={records.error} />
  if (!records.data) return <Skeleton height={300} />
  return records.data.data.map((record) => {
    const setting = settings.find(({ name }) => name === record.type)
    return (
      setting && (
        <Paper key={record.type} withBorder p="lg" mb="md" maw={720}>
          <AiForm key={String(record.last_updated_at)} setting={setting} record={record} />
        </Paper>
      )
    )
  })
}

function AiForm({ setting, record }: { readonly setting: SettingModel; readonly record: AiRecord }) {
  const queries = useQueryClient()
  const may = useMay()
  const isFixed = record.read_only === true || !may('modify configurations')
  return (
    <section aria-label={setting.label}>
      <Group mb="sm">
        <Title order={2} size="h5">
          {setting.label}
        </Title>
        {typeof record.integration_status === 'string' && (
          <Badge variant="default" radius="xs">
            {record.integration_status}
          </Badge>
        )}
      </Group>
      {typeof record.error_detail === 'string' && (
        <Text size="sm" mb="sm">
          {record.error_detail}
        </Text>
      )}
      {isFixed ? (
        <ObjectDetail shown={setting.inputs} object={record} />
      ) : (
        <FieldsForm
          fields={setting.inputs}
          stored={record}
          submit={`Save ${setting.label}`}
          send={(changed) => call('PUT', setting.path, { data: { ...whole(setting, record), ...changed } })}
          onDone={() => {
            showToast('Changes saved')
            void queries.invalidateQueries({ queryKey: [setting.path] })
          }}
        />
      )}
    </section>
  )
}

/** Builds a complete record: unchanged fields keep their values, and unchanged secrets are sent as the pass-through token. */
function whole(setting: SettingModel, record: AiRecord): Readonly<Record<string, unknown>> {
  const kept = setting.inputs.filter(({ name }) => record[name] !== undefined && record[name] !== null)
  const plain = kept.filter(({ kind }) => kind !== 'secret').map((field) => ({ ...field, isRequired: true }))
  const values = formOf(plain, record)
  const secrets = kept.filter(({ kind }) => kind === 'secret').map(({ name }) => [name, record[name]])
  return { ...sentOf(plain, values, values, true), ...Object.fromEntries(secrets), type: record.type }
}
