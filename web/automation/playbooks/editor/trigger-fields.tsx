import {
  Fieldset,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
} from '@mantine/core'
import { useState } from 'react'
import { ENTITY_TYPES, entityTypeName } from '../../../domain/entity-types.ts'
import { type FieldFault, faultsInside, faultText } from '../../../forms/field-faults.ts'
import { type Schedule, scheduleOf, scheduleValues } from '../../../forms/schedule.ts'
import { ScheduleFields } from '../../../forms/schedule-fields.tsx'
import { QueryField } from '../../../intelligence/datasets/query-field.tsx'
import { RelationalBuilder } from '../../../intelligence/datasets/relational-builder.tsx'
import { fromQuery, NEW_RELATIONS, toQuery } from '../../../intelligence/datasets/relations.ts'
import { OBJECTS, type ObjectCollection, type Trigger } from '../playbook.ts'
import { triggerInWords } from '../trigger-words.ts'
import { triggerOf, withCollection } from './draft.ts'
import { joinTypes, splitTypes } from './types-in-query.ts'

interface TriggerFieldsProps {
  readonly trigger: Trigger
  readonly faults: readonly FieldFault[]
  readonly onChange: (trigger: Trigger) => void
}

const TYPES = [
  { value: 'change', label: 'On change' },
  { value: 'schedule', label: 'Schedule' },
  { value: 'manual', label: 'By hand' },
]

const COLLECTIONS = Object.entries(OBJECTS).map(([value, { many }]) => ({
  value,
  label: `${many.charAt(0).toUpperCase()}${many.slice(1)}`,
}))

const KINDS = [
  { value: 'create', label: 'Created' },
  { value: 'update', label: 'Changed' },
]

/** Fields of entities that are often watched; others can be typed. */
const FIELDS = [
  'data.title',
  'data.description',
  'data.confidence',
  'meta.tags',
  'meta.tlp_color',
  'meta.taxonomies',
  'meta.attacks',
  'meta.relevancy',
]

/** What starts the playbook: the kind of objects, which of them, and when. */
export function TriggerFields({ trigger, faults, onChange }: TriggerFieldsProps) {
  const faultAt = (name: string) => faultText(faultsInside(faults, ['trigger', name]), ['trigger', name])
  const set = (change: Partial<Trigger>) => onChange({ ...trigger, ...change })
  const { type, collection } = trigger
  return (
    <Fieldset legend="Trigger">
      <Stack gap="sm">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {triggerInWords(trigger)}
        </Text>
        <SegmentedControl
          aria-label="When it runs"
          fullWidth
          data={TYPES}
          value={type}
          onChange={(next) => onChange(triggerOf(next as Trigger['type'], trigger))}
        />
        <Select
          label="Runs on"
          data={COLLECTIONS}
          value={collection}
          allowDeselect={false}
          error={faultAt('collection')}
          onChange={(next) => next && onChange(withCollection(trigger, next as ObjectCollection))}
        />
        {type === 'change' && (
          <MultiSelect
            label="When they are"
            data={KINDS}
            value={[...(trigger.kinds ?? [])]}
            error={faultAt('kinds')}
            onChange={(kinds) => set({ kinds: kinds as NonNullable<Trigger['kinds']> })}
          />
        )}
        {type === 'schedule' && <ScheduleInput trigger={trigger} set={set} error={faultAt('execution_schedule')} />}
        {type !== 'manual' && (
          <>
            {collection === 'entities' ? (
              <EntityQuery query={trigger.query ?? ''} error={faultAt('query')} onChange={(query) => set({ query })} />
            ) : (
              <Textarea
                label="That match the query"
                placeholder={collection === 'observables' ? 'type:uri AND meta.maliciousness:high' : 'name:invoice'}
                autosize
                minRows={1}
                spellCheck={false}
                classNames={{ input: 'code' }}
                value={trigger.query ?? ''}
                error={faultAt('query')}
                onChange={({ currentTarget }) => set({ query: currentTarget.value })}
              />
            )}
            {collection === 'entities' && <Relations trigger={trigger} set={set} error={faultAt('relational_query')} />}
            {type === 'change' && collection !== 'observables' && (
              <TagsInput
                label="Only if one of these fields changed"
                description="Of a new object, all fields have changed."
                placeholder={trigger.changed_fields?.length ? '' : 'Any field'}
                data={collection === 'entities' ? FIELDS : []}
                value={[...(trigger.changed_fields ?? [])]}
                error={faultAt('changed_fields')}
                onChange={(changed_fields) => set({ changed_fields })}
                acceptValueOnBlur
                openOnFocus={false}
                clearable
              />
            )}
            <Select
              label="Repeat"
              data={[
                { value: 'once', label: 'Once for each object' },
                { value: 'each_change', label: type === 'change' ? 'At each change' : 'Each time' },
              ]}
              value={trigger.repeat ?? 'once'}
              allowDeselect={false}
              error={faultAt('repeat')}
              onChange={(repeat) => set({ repeat: repeat === 'each_change' ? 'each_change' : 'once' })}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  )
}

interface PartProps {
  readonly trigger: Trigger
  readonly set: (change: Partial<Trigger>) => void
  readonly error: string | undefined
}

function ScheduleInput({ trigger, set, error }: PartProps) {
  // A cron expression that has not been typed yet would be stored as none.
  const [values, setValues] = useState(() => scheduleValues((trigger.execution_schedule ?? null) as Schedule))
  const change = (next: Partial<typeof values>) => {
    const all = { ...values, ...next }
    setValues(all)
    set({ execution_schedule: scheduleOf(all) ?? {} })
  }
  return (
    <>
      <ScheduleFields values={values} set={change} error={error} />
      <NumberInput
        label="At most"
        description="How many objects it runs on at a time."
        min={1}
        max={1000}
        allowDecimal={false}
        value={trigger.most ?? 100}
        onChange={(most) => set({ most: Number(most) })}
      />
    </>
  )
}

interface EntityQueryProps {
  readonly query: string
  readonly error: string | undefined
  readonly onChange: (query: string) => void
}

/** Entity types and a query. Both are stored as one query. */
function EntityQuery({ query, error, onChange }: EntityQueryProps) {
  const [typed, setTyped] = useState(() => splitTypes(query))
  // Another query came from elsewhere, such as an imported file.
  const isOwn = joinTypes(typed) === query.trim()
  const { types, rest } = isOwn ? typed : splitTypes(query)
  const change = (next: typeof typed) => {
    setTyped(next)
    onChange(joinTypes(next))
  }
  const all = [...new Set([...Object.keys(ENTITY_TYPES), ...types])]
  return (
    <>
      <MultiSelect
        label="Of type"
        placeholder={types.length === 0 ? 'Any type' : ''}
        data={all.map((value) => ({ value, label: entityTypeName(value) }))}
        value={[...types]}
        onChange={(chosen) => change({ types: chosen, rest })}
        searchable
        clearable
        hidePickedOptions
        openOnFocus={false}
        clearButtonProps={{ 'aria-label': 'Clear entity types' }}
      />
      <QueryField
        label="That match the query"
        description="For example phishing AND tags:partner. Without a query, all of them match."
        value={rest}
        error={error}
        onChange={(text) => change({ types, rest: text })}
      />
    </>
  )
}

function Relations({ trigger: { relational_query }, set, error }: PartProps) {
  const isOn = relational_query !== null && relational_query !== undefined
  return (
    <>
      <Switch
        label="That are reached from other entities"
        description="For example sightings that share an observable with an indicator."
        checked={isOn}
        onChange={({ currentTarget }) =>
          set({ relational_query: currentTarget.checked ? { ...toQuery(NEW_RELATIONS) } : null })
        }
      />
      {isOn && (
        <RelationalBuilder
          value={fromQuery(relational_query) ?? NEW_RELATIONS}
          onChange={(relations) => set({ relational_query: { ...toQuery(relations) } })}
          {...(error !== undefined && { error })}
        />
      )}
      {!isOn && error && (
        <Text size="xs" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </>
  )
}
