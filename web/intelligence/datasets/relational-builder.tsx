import {
  Button,
  Fieldset,
  Group,
  JsonInput,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { ENTITY_TYPES } from '../../domain/entity-types.ts'
import { OBSERVABLE_TYPE_NAMES } from '../../domain/observables.ts'
import { Faults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { NamesSelect } from '../../ui/name-select.tsx'
import { useLiveCount } from './live-count.ts'
import { CountLine } from './query-field.tsx'
import { canAsk, fromQuery, type Hop, KEYS, NEW_HOP, type Relations, toQuery } from './relations.ts'

const MAX_HOPS = 5
const MAX_DEPTH = 5

const DIRECTIONS = [
  { value: 'any', label: 'Both directions' },
  { value: 'out', label: 'Outgoing' },
  { value: 'in', label: 'Incoming' },
]

const VIAS = [
  { value: 'relationships', label: 'Relationships' },
  { value: 'observables', label: 'Shared observables' },
  { value: 'both', label: 'Both' },
]

const INCLUDES = [
  { value: 'last', label: 'Entities reached by the last step' },
  { value: 'reached', label: 'Entities reached by any step' },
  { value: 'all', label: 'Entities reached by any step, and the starting entities' },
]

const TYPES = Object.entries(ENTITY_TYPES).map(([value, label]) => ({ value, label }))

interface RelationalBuilderProps {
  readonly value: Relations
  readonly onChange: (value: Relations) => void
  /** The server's validation error, after the form was submitted. */
  readonly error?: string | undefined
}

/** Builds a relational query: its starting entities, and the steps from there. */
export function RelationalBuilder({ value, onChange, error }: RelationalBuilderProps) {
  const [isText, setIsText] = useState(false)
  return (
    <Stack gap="sm">
      <Switch label="Edit as JSON" checked={isText} onChange={({ currentTarget: { checked } }) => setIsText(checked)} />
      {isText ? <AsText value={value} onChange={onChange} /> : <AsForm value={value} onChange={onChange} />}
      {error && <Faults texts={[error]} />}
      {canAsk(value) && <RelationalCount value={value} />}
    </Stack>
  )
}

function RelationalCount({ value }: { readonly value: Relations }) {
  return <CountLine count={useLiveCount({ query: '', relational: toQuery(value) })} />
}

function AsText({ value, onChange }: RelationalBuilderProps) {
  const [text, setText] = useState(() => JSON.stringify(toQuery(value), null, 2))
  const [isGood, setIsGood] = useState(true)
  const read = (typed: string) => {
    setText(typed)
    const relations = fromQuery(parsed(typed))
    setIsGood(relations !== undefined)
    if (relations) onChange(relations)
  }
  return (
    <JsonInput
      label="Relational query"
      value={text}
      onChange={read}
      error={isGood ? undefined : 'Enter a relational query with “start” and “hops”.'}
      autosize
      minRows={8}
      maxRows={20}
      spellCheck={false}
    />
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function AsForm({ value, onChange }: RelationalBuilderProps) {
  const change = (changes: Partial<Relations>) => onChange({ ...value, ...changes })
  const setHop = (place: number, hop: Hop) => change({ hops: value.hops.map((each, i) => (i === place ? hop : each)) })
  return (
    <Stack gap="sm">
      <Fieldset legend="Start from" p="sm">
        <Stack gap="xs">
          <TextInput
            label="Entities matching a query"
            placeholder="type:threat-actor AND tags:apt"
            value={value.query}
            onChange={({ currentTarget }) => change({ query: currentTarget.value })}
            spellCheck={false}
          />
          <NamesSelect
            of="datasets"
            label="Entities in datasets"
            value={value.datasets}
            onChange={(datasets) => change({ datasets })}
          />
        </Stack>
      </Fieldset>
      {value.hops.map((hop, place) => (
        <HopFields
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their position.
          key={place}
          place={place}
          hop={hop}
          onChange={(changed) => setHop(place, changed)}
          onRemove={
            value.hops.length > 1 ? () => change({ hops: value.hops.filter((_, each) => each !== place) }) : undefined
          }
        />
      ))}
      <Group justify="space-between" align="flex-end">
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={12} />}
          disabled={value.hops.length >= MAX_HOPS}
          onClick={() => change({ hops: [...value.hops, NEW_HOP] })}
        >
          Add step
        </Button>
        <Select
          label="Dataset contents"
          data={INCLUDES}
          value={value.include}
          onChange={(include) => change({ include: (include ?? 'last') as Relations['include'] })}
          allowDeselect={false}
          w={240}
        />
      </Group>
    </Stack>
  )
}

interface HopFieldsProps {
  readonly place: number
  readonly hop: Hop
  readonly onChange: (hop: Hop) => void
  readonly onRemove: (() => void) | undefined
}

function HopFields({ place, hop, onChange, onRemove }: HopFieldsProps) {
  const change = (changes: Partial<Hop>) => onChange({ ...hop, ...changes })
  return (
    <Fieldset legend={`Step ${place + 1}`} p="sm">
      <Stack gap="xs">
        <Group grow align="flex-end">
          <Select
            label="Follow"
            data={VIAS}
            value={hop.via}
            onChange={(via) => change({ via: (via ?? 'relationships') as Hop['via'] })}
            allowDeselect={false}
          />
          {hop.via !== 'observables' && (
            <Select
              label="Direction"
              data={DIRECTIONS}
              value={hop.direction}
              onChange={(direction) => change({ direction: (direction ?? 'any') as Hop['direction'] })}
              allowDeselect={false}
            />
          )}
          <NumberInput
            label="Maximum repetitions"
            min={1}
            max={MAX_DEPTH}
            value={hop.depth}
            onChange={(depth) => change({ depth: Number(depth) || 1 })}
          />
        </Group>
        {hop.via !== 'observables' && (
          <TagsInput
            label="Relationship types"
            placeholder="Any"
            data={[...KEYS]}
            value={[...hop.keys]}
            onChange={(keys) => change({ keys })}
          />
        )}
        {hop.via !== 'relationships' && (
          <MultiSelect
            label="Observable types"
            placeholder="Any"
            data={OBSERVABLE_TYPE_NAMES}
            value={[...hop.observable_types]}
            onChange={(observable_types) => change({ observable_types })}
            searchable
          />
        )}
        <MultiSelect
          label="Target entity types"
          placeholder="Any"
          data={TYPES}
          value={[...hop.entity_types]}
          onChange={(entity_types) => change({ entity_types })}
          searchable
        />
        <TextInput
          label="Target entities matching a query"
          value={hop.query}
          onChange={({ currentTarget }) => change({ query: currentTarget.value })}
          spellCheck={false}
        />
        {onRemove && (
          <Group justify="flex-end">
            <Button variant="subtle" color="red" size="compact-xs" onClick={onRemove}>
              Remove step {place + 1}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  )
}
