import { Autocomplete, Badge, Button, Group, Paper, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FEATURES, type FeatureName } from '../../ai/feature-names.ts'
import { providerName } from '../../ai/made.ts'
import { useMay } from '../../api/session.ts'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { type AssignedFeatures, assignedOf, assignToAll, type State, stateOf } from './feature-state.ts'
import classes from './features-form.module.css'
import { PROVIDERS } from './providers.ts'
import { chatModelsIn, consentQuery, type FeaturesRecord, type ProviderRecord, saveAssignments } from './records.ts'

interface FeaturesFormProps {
  readonly features: FeaturesRecord
  readonly providers: readonly ProviderRecord[]
}

/** Which provider and model each feature uses; a feature without a provider is off. */
export function FeaturesForm({ features, providers }: FeaturesFormProps) {
  const mayModify = useMay()('modify configurations')
  const { data: isAllowed = false } = useQuery(consentQuery)
  const [initial] = useState(() => assignedOf(features))
  const [assigned, setAssigned] = useState(initial)
  const saved = useMutation({
    mutationFn: () => saveAssignments(assigned),
    onSuccess: () => showToast('Features saved'),
  })
  const isChanged = JSON.stringify(assigned) !== JSON.stringify(initial)
  const known = PROVIDERS.flatMap(({ type }) => providers.filter((record) => record.type === type))
  const usable = known.filter(({ integration_status }) => ['success', 'error'].includes(integration_status))
  if (usable.length === 0)
    return (
      <EmptyState
        title="No provider is set up"
        action={<PageLink to="/admin/language-models">Set up a provider</PageLink>}
      >
        Features work as soon as they have a provider and a model.
      </EmptyState>
    )
  const set = (name: string, change: Partial<AssignedFeatures[string]>) =>
    setAssigned((before) => ({ ...before, [name]: { provider: null, model: null, ...before[name], ...change } }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!saved.isPending) saved.mutate()
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Features">
      <Stack>
        {mayModify && (
          <AllAtOnce providers={usable} onAssign={(all) => setAssigned((before) => assignToAll(before, all))} />
        )}
        <Paper withBorder>
          {FEATURES.map((feature) => (
            <FeatureRow
              key={feature.name}
              feature={feature}
              assigned={assigned[feature.name] ?? { provider: null, model: null }}
              // What is shown is the state of what was saved.
              state={stateOf(feature.name, features, known, isAllowed)}
              isSaved={JSON.stringify(assigned[feature.name]) === JSON.stringify(initial[feature.name])}
              providers={usable}
              isFixed={!mayModify}
              onChange={(change) => set(feature.name, change)}
            />
          ))}
        </Paper>
        <ErrorFaults error={saved.error} />
        {mayModify && (
          <Group>
            <Button type="submit" loading={saved.isPending} disabled={!isChanged}>
              Save features
            </Button>
            {isChanged && (
              <Button variant="default" onClick={() => setAssigned(initial)}>
                Discard changes
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <LeaveGuard isChanged={() => isChanged && !saved.isSuccess} />
    </form>
  )
}

/** The option of a feature without a provider. */
const OFF = 'off'

interface FeatureRowProps {
  readonly feature: FeatureName
  readonly assigned: AssignedFeatures[string]
  readonly state: State
  readonly isSaved: boolean
  readonly providers: readonly ProviderRecord[]
  readonly isFixed: boolean
  readonly onChange: (change: Partial<AssignedFeatures[string]>) => void
}

function FeatureRow({ feature, assigned, state, isSaved, providers, isFixed, onChange }: FeatureRowProps) {
  const { label, name, description } = feature
  const { provider, model } = assigned
  return (
    <fieldset className={classes.row} aria-label={label}>
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {label}
          </Text>
          <Badge variant="light" radius="xs" color={isSaved ? state.color : 'blue'}>
            {isSaved ? state.label : 'Not saved'}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
        {isSaved && state.detail && <Text size="xs">{state.detail}</Text>}
        {name === 'ai_contextual_relevancy' && provider !== null && (
          <Text size="xs">
            It needs the <PageLink to="/admin/configuration/organization-profile">organisation profile</PageLink>.
          </Text>
        )}
      </div>
      <Select
        label="Provider"
        aria-label={`Provider of ${label}`}
        disabled={isFixed}
        allowDeselect={false}
        data={[{ value: OFF, label: 'Off' }, ...optionsOf(providers, provider)]}
        value={provider ?? OFF}
        onChange={(value) => {
          const chosen = value === OFF ? null : value
          onChange({ provider: chosen, model: chosen === provider ? model : null })
        }}
      />
      <Autocomplete
        label="Model"
        aria-label={`Model of ${label}`}
        placeholder={provider === null ? '' : 'Select or enter a model'}
        disabled={isFixed || provider === null}
        data={chatModelsOf(providers, provider)}
        limit={50}
        value={model ?? ''}
        onChange={(value) => onChange({ model: value.trim() === '' ? null : value.trim() })}
      />
    </fieldset>
  )
}

interface AllAtOnceProps {
  readonly providers: readonly ProviderRecord[]
  readonly onAssign: (assigned: { readonly provider: string; readonly model: string }) => void
}

/** Assigns one model to all features, which is how most installations begin. */
function AllAtOnce({ providers, onAssign }: AllAtOnceProps) {
  const [provider, setProvider] = useState<string | null>(providers[0]?.type ?? null)
  const [model, setModel] = useState('')
  return (
    <Group align="end" component="fieldset" aria-label="All features" className={classes.all}>
      <Select
        label="Provider"
        aria-label="Provider of all features"
        data={optionsOf(providers, provider)}
        allowDeselect={false}
        value={provider}
        onChange={(value) => {
          setProvider(value)
          setModel('')
        }}
      />
      <Autocomplete
        label="Model"
        aria-label="Model of all features"
        placeholder="Select or enter a model"
        data={chatModelsOf(providers, provider)}
        limit={50}
        value={model}
        onChange={setModel}
      />
      <Button
        variant="default"
        disabled={provider === null || model.trim() === ''}
        onClick={() => provider !== null && onAssign({ provider, model: model.trim() })}
      >
        Use for all features
      </Button>
    </Group>
  )
}

const optionsOf = (providers: readonly ProviderRecord[], chosen: string | null) =>
  [...new Set([...providers.map(({ type }) => type), ...(chosen === null ? [] : [chosen])])].map((value) => ({
    value,
    label: providerName(value),
  }))

function chatModelsOf(providers: readonly ProviderRecord[], provider: string | null): string[] {
  const record = providers.find(({ type }) => type === provider)
  return record ? chatModelsIn(record) : []
}
