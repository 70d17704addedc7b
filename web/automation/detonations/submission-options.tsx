import { Text } from '@mantine/core'
import { TransportFields } from '../../feeds/transport-fields.tsx'
import { configurationOf, type TransportField, textOf } from '../../feeds/transport-form.ts'
import { inputsOf } from '../detonators/detonator-form-values.ts'
import type { Detonator } from '../detonators/detonator-queries.ts'

/** The inputs for the options of all chosen detonators, each once. */
export function optionInputs(
  detonators: readonly Pick<Detonator, 'ui_form_schema'>[],
  kind: 'file' | 'url' | undefined,
): readonly TransportField[] {
  const all = detonators.flatMap(({ ui_form_schema: schema }) =>
    inputsOf(
      (schema ?? []).filter(({ only }) => only === undefined || kind === undefined || only === kind),
      'options',
    ),
  )
  return [...new Map(all.map((field) => [field.name, field])).values()]
}

/** The texts of a form that has the options of an earlier submission. */
export const textsOf = (fields: readonly TransportField[], options: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(fields.map((field) => [field.name, textOf(field, options[field.name])]))

/** The options of a submission from the texts of its form. */
export const optionsOf = (fields: readonly TransportField[], texts: Readonly<Record<string, string>>) =>
  configurationOf(fields, { ...textsOf(fields, {}), ...texts })

interface SubmissionOptionsProps {
  readonly fields: readonly TransportField[]
  readonly texts: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, string>>
  readonly onChange: (texts: Readonly<Record<string, string>>) => void
}

/** How the sandboxes run the sample. */
export function SubmissionOptions({ fields, texts, faults, onChange }: SubmissionOptionsProps) {
  if (fields.length === 0) return null
  const required = fields.filter(({ isRequired }) => isRequired)
  // Few need options: those that are not required are folded.
  const folded = fields.map((field) => (required.includes(field) ? field : { ...field, isRare: true }))
  return (
    <div>
      <Text size="sm" fw={600}>
        Options
      </Text>
      <TransportFields
        transport={{ fields: folded }}
        property="options"
        texts={texts}
        faults={faults}
        onChange={(name, text) => onChange({ ...texts, [name]: text })}
      />
    </div>
  )
}
