import {
  Modal,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CONTENT_TYPES, READABLE_URNS } from '../../../server/domain/content-types.ts'
import { call } from '../../api/call.ts'
import type { FeedKind } from '../../api/feeds.ts'
import type { IncomingFeed, OutgoingFeed } from '../../api/resources.ts'
import { FormFault } from '../../generic/values.ts'
import { ENTITY_TYPES } from '../../ui/entity-types.ts'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { NamesSelect } from '../../ui/name-select.tsx'
import { TLP_OPTIONS } from '../../ui/tlp.ts'
import { bodyOf, faultNames, formOf, newFeed, SCHEDULES, type FeedForm as Values } from './feed-draft.ts'
import { MoreSettings, useMoreSettings } from './more-settings.tsx'
import { TransportFields } from './transport-fields.tsx'
import { TRANSPORTS, transportOf } from './transports.ts'

type Feed = IncomingFeed | OutgoingFeed

interface FeedFormProps {
  readonly kind: FeedKind
  /** The feed that is changed; absent for a new one. */
  readonly feed?: Feed | undefined
  readonly onClose: () => void
  readonly onSaved: (feed: Feed) => void
}

const FORMATS = CONTENT_TYPES.map(({ urn, doc }) => ({ value: urn, label: doc }))
const STRATEGIES = [
  { value: 'REPLACE', label: 'Everything, every time' },
  { value: 'APPEND', label: 'What is new or changed' },
  { value: 'DIFF', label: 'Rows that came and went (CSV)' },
]

const TRANSFERS = [
  { value: 'APPEND', label: 'New and changed objects' },
  { value: 'REPLACE', label: 'Everything, every time' },
  { value: 'DIFF', label: 'Rows added and removed (CSV)' },
]
const WITHDRAWALS = [
  { value: 'mark', label: 'Mark as withdrawn' },
  { value: 'keep', label: 'Keep unchanged' },
  { value: 'delete', label: 'Delete' },
]

/** What the form has inputs of its own for. */
const OWN = {
  incoming: Object.keys(bodyOf('incoming', newFeed('incoming'))),
  outgoing: Object.keys(bodyOf('outgoing', newFeed('outgoing'))),
}

/** Makes or changes a feed; what it asks for depends on the transport. */
export function FeedForm({ kind, feed, onClose, onSaved }: FeedFormProps) {
  const [values, setValues] = useState(() => (feed ? formOf(kind, feed) : newFeed(kind)))
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }))
  const more = useMoreSettings(kind, OWN[kind], feed && { ...feed })
  const saved = useMutation({
    mutationFn: async () => {
      const path = feed ? `${kind}-feeds/${feed.id}` : `${kind}-feeds`
      const data = { ...more.sent(), ...bodyOf(kind, values) }
      return (await call<{ data: Feed }>(feed ? 'PATCH' : 'POST', path, { data })).data
    },
    onSuccess: onSaved,
  })
  const { fields: faults, others } =
    saved.error instanceof FormFault
      ? { fields: saved.error.faults, others: [] }
      : sortFaults(saved.error, [...faultNames(kind, values), ...more.paths])
  const transport = transportOf(kind, values.transport)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saved.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={feed ? `Settings of ${feed.name}` : `New ${kind} feed`} size="xl">
      {/* The server checks addresses better than browsers do, and says at the field what is wrong. */}
      <form onSubmit={submit} noValidate>
        <Stack>
          <Faults texts={others} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Name"
              required
              data-autofocus
              value={values.name}
              error={faults.name}
              onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            />
            <Select
              label="Transport"
              description={transport?.help}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={TRANSPORTS[kind].map(({ type, label }) => ({ value: type, label }))}
              value={values.transport}
              allowDeselect={false}
              onChange={(value) => set({ transport: value ?? values.transport })}
            />
          </SimpleGrid>
          {transport && (
            <TransportFields
              key={transport.type}
              transport={transport}
              texts={values.texts}
              faults={faults}
              onChange={(name, text) =>
                setValues((before) => ({ ...before, texts: { ...before.texts, [name]: text } }))
              }
            />
          )}
          <Common values={values} set={set} faults={faults} />
          {kind === 'incoming' ? (
            <Incoming values={values} set={set} faults={faults} />
          ) : (
            <Outgoing values={values} set={set} faults={faults} />
          )}
          <MoreSettings settings={more} faults={faults} />
          <FormActions submit={feed ? 'Save' : 'Create it'} isSending={saved.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

interface PartProps {
  readonly values: Values
  readonly set: (change: Partial<Values>) => void
  readonly faults: Readonly<Record<string, string>>
}

function Common({ values, set, faults }: PartProps) {
  const known = SCHEDULES.some(({ value }) => value === values.schedule)
  const own = known ? [] : [{ value: values.schedule, label: `Every ${values.schedule} seconds` }]
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Runs"
          data={[...SCHEDULES, ...own]}
          value={values.schedule}
          error={faults.execution_schedule}
          allowDeselect={false}
          onChange={(value) => set({ schedule: value ?? 'never' })}
        />
        {values.schedule === 'cron' && (
          <TextInput
            label="Schedule"
            placeholder="0 3 * * *"
            classNames={{ input: 'code' }}
            value={values.cron}
            onChange={({ currentTarget }) => set({ cron: currentTarget.value })}
          />
        )}
      </SimpleGrid>
      <Textarea
        label="Description"
        autosize
        minRows={1}
        value={values.description}
        error={faults.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <Switch
        label="Active"
        checked={values.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
    </>
  )
}

function Incoming({ values, set, faults }: PartProps) {
  return (
    <>
      <Text size="sm" fw={600}>
        What it brings gets
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TagsInput label="Tags" value={[...values.tags]} error={faults.tags} onChange={(tags) => set({ tags })} />
        <Select
          label="TLP, whatever it came with"
          data={TLP_OPTIONS}
          clearable
          value={values.tlp || null}
          error={faults.tlp_color_override}
          onChange={(value) => set({ tlp: value ?? '' })}
        />
        <Select
          label="Reliability"
          data={['A', 'B', 'C', 'D', 'E', 'F']}
          clearable
          value={values.reliability || null}
          error={faults.source_reliability}
          onChange={(value) => set({ reliability: value ?? '' })}
        />
        <Select
          label="Content type"
          description="Only needed where the content does not show its format."
          data={READABLE_URNS}
          clearable
          value={values.contentType || null}
          error={faults.content_type}
          onChange={(value) => set({ contentType: value ?? '' })}
        />
      </SimpleGrid>
      <Text size="sm" fw={600}>
        Withdrawn intelligence
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Each transfer contains"
          description="With “Everything”, entities that are missing from a transfer count as withdrawn."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={TRANSFERS}
          value={values.strategy}
          error={faults.update_strategy}
          allowDeselect={false}
          onChange={(value) => set({ strategy: value ?? values.strategy })}
        />
        <Select
          label="Withdrawn entities"
          description="Tags, observables and relationships that the sender withdrew are always removed."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={WITHDRAWALS}
          value={values.withdrawn}
          error={faults.withdrawn}
          allowDeselect={false}
          onChange={(value) => set({ withdrawn: value ?? values.withdrawn })}
        />
      </SimpleGrid>
      <Switch
        label="Only with a valid signature"
        checked={values.needsSignature}
        onChange={({ currentTarget }) => set({ needsSignature: currentTarget.checked })}
      />
    </>
  )
}

const TYPES = Object.entries(ENTITY_TYPES).map(([value, label]) => ({ value, label }))

function Outgoing({ values, set, faults }: PartProps) {
  return (
    <>
      <Text size="sm" fw={600}>
        What it sends
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NamesSelect
          of="datasets"
          label="Datasets"
          description="Without one it sends nothing."
          value={values.datasets}
          error={faults.datasets}
          onChange={(datasets) => set({ datasets })}
        />
        <MultiSelect
          label="Types of entities"
          description="None lets all pass."
          data={TYPES}
          value={[...values.entityTypes]}
          error={faults.entity_types}
          onChange={(entityTypes) => set({ entityTypes })}
        />
        <Select
          label="Format"
          data={FORMATS}
          value={values.contentType}
          error={faults.content_type}
          allowDeselect={false}
          onChange={(value) => set({ contentType: value ?? values.contentType })}
        />
        <Select
          label="Each block has"
          data={STRATEGIES}
          value={values.strategy}
          error={faults.update_strategy}
          allowDeselect={false}
          onChange={(value) => set({ strategy: value ?? 'REPLACE' })}
        />
        <Select
          label="TLP in place of what it has"
          data={TLP_OPTIONS}
          clearable
          value={values.tlp || null}
          error={faults.tlp_color_override}
          onChange={(value) => set({ tlp: value ?? '' })}
        />
        <NamesSelect
          of="groups"
          label="Groups that may fetch it"
          value={values.groups}
          error={faults.authorised_groups}
          onChange={(groups) => set({ groups })}
        />
      </SimpleGrid>
      <Switch
        label="With relationships"
        checked={values.hasRelationships}
        onChange={({ currentTarget }) => set({ hasRelationships: currentTarget.checked })}
      />
    </>
  )
}
