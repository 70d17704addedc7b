import { MultiSelect, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { choiceField, idsField, idsIn } from '../../ui/form-fields.ts'
import { useForm } from '../../ui/use-form.ts'
import { DEFAULT_MATRIX, MATRICES } from '../matrices.ts'
import { namedNodesQuery } from '../nodes.ts'
import { DEFENSE_TYPES, DEFENSES, type Defense, type DefenseType } from './defense.ts'
import { renewCoverage } from './status.ts'
import { nodesOf, techniqueOptions, techniquesOf } from './technique-option.ts'

interface DefenseFormProps {
  /** The defense to edit; absent for a new one. */
  readonly defense?: Defense
  /** The type of a new defense. */
  readonly type: DefenseType
  /** The nodes of the techniques that it works against. */
  readonly nodes?: readonly string[]
  readonly onDone: (defense: Defense) => void
  readonly onCancel: () => void
}

/** Creates or edits a defense of one's own. */
export function DefenseForm({ defense, type, nodes = [], onDone, onCancel }: DefenseFormProps) {
  const form = useForm(
    {
      name: defense?.name ?? '',
      type: (defense?.type ?? type) as string,
      description: defense?.description ?? '',
      related_techniques: nodes.join(','),
    },
    async ({ related_techniques, ...rest }) => {
      const data = { ...rest, related_techniques: idsIn(related_techniques) }
      const path = defense ? `${DEFENSES}/${defense.id}` : DEFENSES
      return (await call<{ data: Defense }>(defense ? 'PATCH' : 'POST', path, { data })).data
    },
    (stored) => {
      void renewCoverage(DEFENSES)
      onDone(stored)
    },
  )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Faults texts={form.faults.others} />
        <TextInput label="Name" required data-autofocus {...form.field('name')} />
        <Select
          label="Type"
          required
          data={DEFENSE_TYPES.map(({ value, one }) => ({ value, label: one }))}
          allowDeselect={false}
          {...choiceField(form, 'type')}
        />
        <Textarea label="Description" autosize minRows={2} maxRows={10} {...form.field('description')} />
        <TechniquesField matrix={defense?.domains[0]} {...idsField(form, 'related_techniques')} />
        <FormActions
          submit={defense ? 'Save changes' : 'Create defense'}
          isSending={form.isSending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

interface TechniquesFieldProps {
  /** The matrix to begin with. */
  readonly matrix: string | undefined
  /** The ids of nodes, of any matrix. */
  readonly value: readonly string[]
  readonly error: string | undefined
  readonly onChange: (nodes: readonly string[]) => void
}

/** Selects techniques of one matrix at a time, each in all its places; those of other matrices stay selected. */
function TechniquesField({ matrix: first = DEFAULT_MATRIX, value, error, onChange }: TechniquesFieldProps) {
  const [matrix, setMatrix] = useState(first)
  const { data: nodes } = useQuery(namedNodesQuery(matrix))
  const options = useMemo(() => techniqueOptions(nodes ?? new Map()), [nodes])
  const elsewhere = value.filter((id) => nodes?.has(id) !== true)
  return (
    <>
      <Select
        label="Matrix"
        data={[...MATRICES]}
        value={matrix}
        allowDeselect={false}
        onChange={(next) => setMatrix(next ?? DEFAULT_MATRIX)}
      />
      <MultiSelect
        label="Techniques"
        description={
          nodes && elsewhere.length > 0
            ? `What it stops or detects. ${elsewhere.length.toLocaleString('en')} places in other matrices are kept.`
            : 'What it stops or detects, in all tactics of the technique.'
        }
        data={options.map((option) => ({ value: option.value, label: option.label }))}
        value={[...techniquesOf(options, new Set(value))]}
        onChange={(chosen) => onChange([...elsewhere, ...nodesOf(options, chosen)])}
        error={error}
        disabled={!nodes}
        searchable
        clearable
        hidePickedOptions
        limit={100}
        nothingFoundMessage="No matching technique"
        clearButtonProps={{ 'aria-label': 'Clear techniques' }}
      />
    </>
  )
}
