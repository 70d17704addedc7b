import { Divider, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Schema } from '../../../api/schema.ts'
import { type FieldFault, faultsInside, faultsOutside, faultText } from '../../../forms/field-faults.ts'
import type { Path } from '../../../forms/paths.ts'
import type { SetValue } from '../../../forms/use-draft.ts'
import { Faults } from '../../../ui/faults.tsx'
import type { Names } from '../names.ts'
import type { Condition, Step, StepKind } from '../playbook.ts'
import { ConditionsInput } from './conditions-input.tsx'
import { ParameterInput } from './parameter-input.tsx'

export interface StepFormProps {
  readonly step: Step
  readonly place: number
  readonly earlier: readonly Step[]
  readonly kinds: readonly StepKind[]
  readonly names: Names
  /** Validation errors of the whole playbook. */
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
}

/** The members of each step. */
const OWN = ['id', 'kind', 'name', 'only_if', 'on_failure']

/** The inputs of a step: its condition, its parameters, and what happens if it fails. */
export function StepForm({ step, place, earlier, kinds, names, faults, set }: StepFormProps) {
  const kind = kinds.find((each) => each.kind === step.kind)
  const path: Path = ['steps', place]
  const fields = Object.entries(kind?.parameters.properties ?? {}) as [string, Schema][]
  const others = faultsOutside(
    faultsInside(faults, path),
    [...OWN.filter((name) => name !== 'id' && name !== 'kind'), ...fields.map(([name]) => name)].map((name) => [
      ...path,
      name,
    ]),
  )
  const conditions = (name: string, label: string, description: string, canQuery: boolean) => (
    <ConditionsInput
      label={label}
      description={description}
      conditions={(step[name] ?? []) as readonly Condition[]}
      earlier={earlier}
      kinds={kinds}
      names={names}
      canQuery={canQuery}
      faults={faultsInside(faults, [...path, name]).map((fault) => ({
        ...fault,
        path: fault.path.slice(`steps[${place}].${name}`.length),
      }))}
      onChange={(changed) => set([...path, name], changed)}
    />
  )
  return (
    <Stack gap="sm">
      {kind && (
        <Text size="sm" c="dimmed">
          {kind.description}
        </Text>
      )}
      <Faults texts={[faultText(others, path)].filter((text) => text !== undefined)} />
      {conditions(
        'only_if',
        'Only if',
        'The step is skipped unless all of these hold. Without conditions, it is always done.',
        true,
      )}
      <Divider />
      {fields.map(([name, schema]) =>
        name === 'outcomes' && step.kind === 'condition' ? (
          <div key={name}>{conditions(name, 'Outcomes', 'All of these are needed.', false)}</div>
        ) : (
          <ParameterInput
            key={name}
            name={name}
            schema={schema}
            path={[...path, name]}
            value={step[name]}
            isRequired={kind?.parameters.required?.includes(name) ?? false}
            isTemplate={kind?.templates.includes(name) ?? false}
            earlier={earlier}
            faults={faultsInside(faults, [...path, name])}
            set={set}
          />
        ),
      )}
      {fields.length > 0 && <Divider />}
      <TextInput
        label="Name"
        description={`Shown in place of what the step does. Texts of later steps refer to its results as {steps.${step.id}.…}.`}
        value={step.name ?? ''}
        error={faultText(faultsInside(faults, [...path, 'name']), [...path, 'name'])}
        onChange={({ currentTarget }) =>
          set([...path, 'name'], currentTarget.value === '' ? null : currentTarget.value)
        }
      />
      <Select
        label="If the step fails"
        data={[
          { value: 'stop', label: 'The run fails' },
          { value: 'continue', label: 'The run goes on with a warning' },
        ]}
        value={step.on_failure}
        allowDeselect={false}
        onChange={(value) => set([...path, 'on_failure'], value ?? 'stop')}
      />
    </Stack>
  )
}
