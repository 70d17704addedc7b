import { Autocomplete, Button, Group, NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { TLP } from '../../../server/domain/tlp.ts'
import { providerName } from '../../ai/made.ts'
import { tlpName } from '../../domain/tlp.ts'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { SecretInput } from '../../generic/secret-input.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { bodyOf, draftOf, type ProviderDraft } from './provider-draft.ts'
import type { ProviderKind } from './providers.ts'
import { type ProviderRecord, saveProvider } from './records.ts'

interface ProviderFormProps {
  readonly kind: ProviderKind
  readonly record: ProviderRecord
  readonly onSaved: () => void
  readonly onCancel: () => void
}

const CEILINGS = TLP.map((value) => ({
  value,
  label: value === 'NONE' ? 'Only what has no TLP colour' : `Up to TLP:${tlpName(value)}`,
}))

const KEY = { name: 'api_key', label: 'API key', kind: 'secret' as const, isNullable: true, isReadOnly: false }

/** Sets up a provider: where it is, what it may receive, and what it may cost. */
export function ProviderForm({ kind, record, onSaved, onCancel }: ProviderFormProps) {
  const [initial] = useState(() => draftOf(record))
  const [draft, setDraft] = useState(initial)
  const saved = useMutation({ mutationFn: () => saveProvider(bodyOf(record, draft)), onSuccess: onSaved })
  const faults = sortFaults(saved.error, Object.keys(draft))
  const set = (change: Partial<ProviderDraft>) => setDraft((before) => ({ ...before, ...change }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!saved.isPending) saved.mutate()
  }
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial)
  return (
    <form onSubmit={submit} noValidate aria-label={providerName(kind.type)}>
      <Stack>
        <Faults texts={faults.others} />
        <Switch
          label="Enabled"
          description="Features can use it."
          checked={draft.enabled}
          onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Address"
            withAsterisk={kind.address === undefined}
            placeholder={kind.address ?? kind.example}
            description={kind.address ? 'Leave empty for the default.' : 'With /v1 if the server has it.'}
            error={faults.fields.base_url}
            value={draft.base_url}
            onChange={({ currentTarget }) => set({ base_url: currentTarget.value })}
          />
          <SecretInput
            field={{ ...KEY, isRequired: kind.needsKey, description: 'Sent as a bearer token, and never shown again.' }}
            value={draft.api_key}
            stored={record.api_key}
            onChange={(value) => set({ api_key: value as string | null })}
            faults={faults.fields}
            path="api_key"
            isDisabled={false}
          />
          <Select
            label="Receives at most"
            description="More restricted entities are never sent to it."
            data={CEILINGS}
            allowDeselect={false}
            error={faults.fields.max_tlp}
            value={draft.max_tlp}
            onChange={(value) => set({ max_tlp: value ?? draft.max_tlp })}
          />
          <NumberInput
            label="Budget of each user"
            description="Tokens in a calendar month. Empty for no limit."
            min={0}
            allowDecimal={false}
            thousandSeparator=","
            hideControls
            error={faults.fields.monthly_token_budget}
            value={draft.monthly_token_budget}
            onChange={(monthly_token_budget) => set({ monthly_token_budget })}
          />
          <NumberInput
            label="Price of a million tokens sent"
            description="In any currency, for the usage report."
            min={0}
            hideControls
            error={faults.fields.prompt_price}
            value={draft.prompt_price}
            onChange={(prompt_price) => set({ prompt_price })}
          />
          <NumberInput
            label="Price of a million tokens received"
            description="In the same currency."
            min={0}
            hideControls
            error={faults.fields.answer_price}
            value={draft.answer_price}
            onChange={(answer_price) => set({ answer_price })}
          />
          <Autocomplete
            label="Embedding model"
            description="Finds texts of similar meaning for the assistant. Titles and descriptions are sent to it as they change. Any name can be entered."
            data={record.embedding_models.map(({ id }) => id)}
            clearable
            error={faults.fields.selected_embedding_model}
            value={draft.selected_embedding_model}
            onChange={(selected_embedding_model) => set({ selected_embedding_model })}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={saved.isPending} disabled={!isChanged && record.last_updated_at !== null}>
            Save
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
      <LeaveGuard isChanged={() => isChanged && !saved.isSuccess} />
    </form>
  )
}
