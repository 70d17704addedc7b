import { Alert, Box, Grid, NavLink, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { oneQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { type FieldModel, fieldLabel } from '../generic/fields.ts'
import { FieldsForm } from '../generic/fields-form.tsx'
import { ObjectActions } from '../generic/object-actions.tsx'
import { ObjectDetail } from '../generic/object-detail.tsx'
import { useApi } from '../generic/use-api.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Moment } from '../ui/moment.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'
import { type SettingModel, settingsOf } from './settings.ts'

type RecordValues = Readonly<Record<string, unknown>> & { readonly last_updated_at: string | null }

/** The settings of the installation, one section at a time. */
export function Configuration({ section = 'server' }: { readonly section?: string }) {
  const { document, error, isPending } = useApi()
  const may = useMay()
  if (!may('read configurations')) return <NoPermission permission="read configurations" />
  const settings = document ? settingsOf(document) : []
  const setting = settings.find(({ name }) => name === section)
  return (
    <>
      <PageHead title="Configuration" description="Settings that apply to the whole installation." />
      <ErrorFaults error={error} />
      {isPending && <Skeleton height={400} />}
      {document && (
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, sm: 3 }}>
            <nav aria-label="Sections">
              {settings.map(({ name, label }) => (
                <NavLink
                  key={name}
                  component={Link}
                  to={`/admin/configuration/${name}`}
                  label={label}
                  active={name === section}
                />
              ))}
              <NavLink component={Link} to="/admin/language-models" label="Language models" />
            </nav>
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 9 }}>
            {setting && <SettingForm key={setting.name} setting={setting} />}
            {!setting && <EmptyState title="Section not found" />}
          </Grid.Col>
        </Grid>
      )}
    </>
  )
}

function SettingForm({ setting }: { readonly setting: SettingModel }) {
  const record = useQuery(oneQuery<RecordValues>(setting.path))
  if (record.error) return <ErrorFaults error={record.error} />
  if (!record.data) return <Skeleton height={300} />
  const { data } = record
  const others = Object.keys(data).filter(
    (name) => !['type', 'last_updated_at'].includes(name) && !setting.inputs.some((field) => field.name === name),
  )
  return (
    <Paper withBorder p="lg" maw={720}>
      <SettingHead setting={setting} changedAt={data.last_updated_at} />
      <RecordForm key={String(data.last_updated_at)} setting={setting} record={data} />
      {others.length > 0 && (
        <Box mt="xl">
          <ObjectDetail shown={others.map((name) => shownField(name, data[name]))} object={data} />
        </Box>
      )}
    </Paper>
  )
}

function SettingHead({ setting, changedAt }: { readonly setting: SettingModel; readonly changedAt: string | null }) {
  return (
    <Stack gap={4} mb="md">
      <Title order={2} size="h4">
        {setting.label}
      </Title>
      <Text size="sm" c="dimmed" component="div">
        {setting.description}{' '}
        {changedAt ? (
          <>
            Last changed <Moment at={changedAt} />.
          </>
        ) : (
          'The default settings are in use.'
        )}
      </Text>
      <div>
        <ObjectActions actions={setting.actions} id="" touched={setting.path} />
      </div>
    </Stack>
  )
}

function RecordForm({ setting, record }: { readonly setting: SettingModel; readonly record: RecordValues }) {
  const queries = useQueryClient()
  const may = useMay()
  const patch = (data: Readonly<Record<string, unknown>>) => call('PATCH', setting.path, { data })
  const invalidate = () => queries.invalidateQueries({ queryKey: [setting.path] })
  if (!may('modify configurations'))
    return (
      <>
        <Alert mb="md">You can view these settings but not change them.</Alert>
        <ObjectDetail shown={setting.inputs} object={record} />
      </>
    )
  return (
    <FieldsForm
      fields={setting.inputs}
      stored={record}
      submit="Save changes"
      send={patch}
      onDone={(_, data) => {
        const hasSecret = setting.inputs.some(({ name, kind }) => kind === 'secret' && name in data)
        const before = Object.fromEntries(Object.keys(data).map((name) => [name, record[name] ?? null]))
        showToast('Changes saved', hasSecret ? undefined : () => patch(before).then(invalidate))
        void invalidate()
      }}
    />
  )
}

/** Read-only fields of a record, which are not part of the form. */
const shownField = (name: string, value: unknown): FieldModel => ({
  name,
  label: fieldLabel(name),
  kind: typeof value === 'boolean' ? 'boolean' : typeof value === 'object' ? 'json' : 'long-text',
  isRequired: false,
  isNullable: true,
  isReadOnly: true,
})
