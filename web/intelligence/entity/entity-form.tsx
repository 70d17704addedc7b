import { Button, Grid, Group, Kbd, Paper, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { Schemas } from '../../api/schema.ts'
import { type FieldFault, faultsIn, faultsInside, faultsOutside } from '../../forms/field-faults.ts'
import { FieldGrid } from '../../forms/field-grid.tsx'
import type { Drawn } from '../../forms/field-kind.ts'
import { SchemasContext } from '../../forms/input-props.ts'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import type { Document, Path } from '../../forms/paths.ts'
import { SchemaField } from '../../forms/schema-field.tsx'
import { useDraft } from '../../forms/use-draft.ts'
import { Faults } from '../../ui/faults.tsx'
import { ObservablesField } from '../observable/observables-field.tsx'
import { TextAssistants } from '../writing/text-assistants.tsx'
import { CLASSIFIED, Classification } from './classification.tsx'
import { ENTITY_PROPERTIES, type EntityDraft, isChanged } from './entity-draft.ts'
import { entityFields, metaFields } from './entity-schema.ts'
import { FoundInForm } from './found/found-in-form.tsx'
import { MoreFields } from './more-fields.tsx'

interface EntityFormProps {
  readonly schemas: Schemas
  readonly initial: EntityDraft
  readonly send: (draft: EntityDraft) => Promise<string>
  /** Called with the id of the saved entity. */
  readonly onSaved: (id: string) => void
  readonly onCancel: () => void
  readonly label: string
  /** The number of observables that precede those of the form in the request. */
  readonly observablesBefore?: number
  /** The id of the entity that is edited. */
  readonly own?: string
  /** Called with every error; its result is shown instead of the validation errors. */
  readonly explain?: (error: unknown, form: { again(): void; restart(draft: EntityDraft): void }) => ReactNode
}

/** The entity fields at the top of the form. */
const LEADING = ['title', 'description']

/** Creates or edits an entity. The form is derived from the entity schema and keeps the input until it is saved. */
export function EntityForm(props: EntityFormProps) {
  const { schemas, initial, observablesBefore = 0 } = props
  const draft = useDraft(initial)
  const { value, faults, set } = draft
  const { form, saved, isSaved, submit } = useSaving(props, draft)
  const type = String(value.data.type)
  const customType = value.data.custom_entity_type
  const { own, common } = useMemo(
    () => entityFields(schemas, type, typeof customType === 'string' ? customType : undefined),
    [schemas, type, customType],
  )
  const meta = useMemo(() => metaFields(schemas), [schemas])
  const leading = common.filter(({ name }) => LEADING.includes(name))
  const confidence = common.find(({ name }) => name === 'confidence')
  const rest = common.filter(({ name }) => !LEADING.includes(name) && name !== 'confidence')
  const restart = (from: EntityDraft) => {
    saved.reset()
    draft.refuse([])
    draft.replace(from)
  }
  const explained = saved.error && props.explain?.(saved.error, { again: () => saved.mutate(value), restart })
  return (
    <SchemasContext value={schemas}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          {explained ?? <Faults texts={textsOf(faultsOutside(faults, drawnPaths(value.data, [...own, ...common])))} />}
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack>
                {leading.map(({ name, schema, isRequired }) => (
                  <SchemaField
                    key={name}
                    path={['data', name]}
                    schema={schema}
                    value={value.data[name]}
                    faults={faultsInside(faults, ['data', name])}
                    set={set}
                    isRequired={isRequired}
                  />
                ))}
                <FoundInForm draft={value} set={set} own={props.own} />
                <TextAssistants draft={value} set={set} entity={props.own} />
                <FieldGrid fields={own} value={value.data} path={['data']} faults={faults} set={set} />
                <ObservablesField
                  value={value.observables}
                  onChange={(observables) => set(['observables'], observables)}
                  faults={faultsInside(faults, ['observables'])}
                  offset={observablesBefore}
                />
                <MoreFields fields={rest} known={[...own, ...common]} data={value.data} faults={faults} set={set} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Classification draft={value} confidence={confidence} fields={meta} faults={faults} set={set} />
            </Grid.Col>
          </Grid>
          <Paper pos="sticky" bottom={8} p="sm" withBorder shadow="sm" style={{ zIndex: 2 }}>
            <Group>
              <Button type="submit" loading={saved.isPending}>
                {props.label}
              </Button>
              <Button variant="default" onClick={props.onCancel}>
                Cancel
              </Button>
              <Group gap={4} visibleFrom="sm">
                <Kbd size="xs">Ctrl</Kbd>
                <Kbd size="xs">Enter</Kbd>
              </Group>
            </Group>
          </Paper>
        </Stack>
      </form>
      <LeaveGuard isChanged={() => !isSaved.current && isChanged(initial, value)} />
    </SchemasContext>
  )
}

/** Submits the form and handles the result. */
function useSaving({ send, onSaved }: EntityFormProps, draft: ReturnType<typeof useDraft<EntityDraft>>) {
  const form = useRef<HTMLFormElement>(null)
  const isSaved = useRef(false)
  const saved = useMutation({
    mutationFn: send,
    onMutate: () => draft.refuse([]),
    onSuccess: (id) => {
      isSaved.current = true
      onSaved(id)
    },
    onError: (error) => draft.refuse(faultsIn(error, ENTITY_PROPERTIES)),
  })
  const { faults } = draft
  useEffect(() => {
    if (faults.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [faults])
  const submit = () => {
    const broken = form.current?.querySelector<HTMLElement>(':invalid')
    if (broken) broken.focus()
    if (broken || saved.isPending) return
    // Empty lines are ignored.
    const whole = { ...draft.value, observables: draft.value.observables.filter(({ value }) => value.trim() !== '') }
    draft.replace(whole)
    saved.mutate(whole)
  }
  return { form, saved, isSaved, submit }
}

const textsOf = (faults: readonly FieldFault[]): string[] =>
  faults.map(({ path, text }) => (path === '' ? text : `${path}: ${text}`))

/** All paths that have an input; other errors are shown above the form. */
const drawnPaths = (data: Document, fields: readonly Drawn[]): readonly Path[] => [
  ...[...Object.keys(data), ...fields.map(({ name }) => name)].map((name) => ['data', name]),
  ...CLASSIFIED.map((name) => ['meta', name]),
  ['observables'],
  ['sources'],
]
