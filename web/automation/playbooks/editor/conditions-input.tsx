import { ActionIcon, Button, Group, Input, MultiSelect, Paper, Select, Stack, Text, Textarea } from '@mantine/core'
import type { FieldFault } from '../../../forms/field-faults.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { Names } from '../names.ts'
import { type Condition, outcomeName, type Step, type StepKind } from '../playbook.ts'
import { stepInWords } from '../step-words.ts'
import { isLost } from './steps.ts'

interface ConditionsInputProps {
  readonly label: string
  readonly description: string
  readonly conditions: readonly Condition[]
  /** The steps before this one. */
  readonly earlier: readonly Step[]
  readonly kinds: readonly StepKind[]
  readonly names: Names
  /** Validation errors, with paths that begin at the list. */
  readonly faults: readonly FieldFault[]
  readonly onChange: (conditions: readonly Condition[]) => void
  /** Whether a condition can be a query as well. */
  readonly canQuery?: boolean
}

/** Conditions on the outcomes of earlier steps and on the object, all of which must hold. */
export function ConditionsInput({ canQuery = true, ...props }: ConditionsInputProps) {
  const { label, description, conditions, earlier, onChange } = props
  const [latest] = earlier.slice(-1)
  return (
    <Input.Wrapper label={label} description={description} labelElement="div" role="group" aria-label={label}>
      <Stack gap="xs" mt={6}>
        {conditions.map((condition, i) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their position.
            key={i}
            {...props}
            condition={condition}
            place={i}
            onChange={(changed) => onChange(conditions.with(i, changed))}
            onRemove={() => onChange(conditions.toSpliced(i, 1))}
          />
        ))}
        <Group gap="xs">
          {latest && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onChange([...conditions, { step: latest.id, outcome: [] }])}
            >
              Add outcome of a step
            </Button>
          )}
          {canQuery && (
            <Button size="compact-sm" variant="default" onClick={() => onChange([...conditions, { query: '' }])}>
              Add query
            </Button>
          )}
          {!latest && !canQuery && (
            <Text size="sm" c="dimmed">
              There are no earlier steps.
            </Text>
          )}
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}

interface RowProps extends Omit<ConditionsInputProps, 'onChange'> {
  readonly condition: Condition
  readonly place: number
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

function Row({ condition, place, earlier, kinds, names, faults, onChange, onRemove }: RowProps) {
  const own = faults.filter(({ path }) => path.startsWith(`[${place}]`)).map(({ text }) => text)
  const lost = isLost(condition, earlier) ? 'This is not an earlier step. Choose another one.' : undefined
  const error = lost ?? (own.join('; ') || undefined)
  return (
    <Paper withBorder p="xs" role="group" aria-label={`Condition ${place + 1}`}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Group gap="xs" align="flex-start" style={{ flex: 1, minWidth: 0 }}>
          {condition.step === undefined ? (
            <Textarea
              label="The object matches"
              placeholder="meta.tags:phishing"
              autosize
              minRows={1}
              maxRows={6}
              spellCheck={false}
              classNames={{ input: 'code' }}
              value={condition.query ?? ''}
              error={error}
              onChange={({ currentTarget }) => onChange({ query: currentTarget.value })}
              style={{ flex: 1 }}
            />
          ) : (
            <OutcomeOf {...{ condition, earlier, kinds, names, error, onChange }} step={condition.step} />
          )}
        </Group>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove condition ${place + 1}`} onClick={onRemove}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </Group>
    </Paper>
  )
}

interface OutcomeOfProps extends Pick<RowProps, 'condition' | 'earlier' | 'kinds' | 'names' | 'onChange'> {
  readonly step: string
  readonly error: string | undefined
}

function OutcomeOf({ condition, step, earlier, kinds, names, error, onChange }: OutcomeOfProps) {
  const kindOf = (name: string | undefined) => kinds.find(({ kind }) => kind === name)
  const found = earlier.find(({ id }) => id === step)
  const { outcomes = {} } = kindOf(found?.kind) ?? {}
  const { outcome = [] } = condition
  const words = [...new Set([...Object.keys(outcomes), ...outcome])]
  const steps = earlier.map((each, i) => ({
    value: each.id,
    label: `${i + 1}. ${stepInWords(each, kindOf(each.kind), names)}`,
  }))
  return (
    <>
      <Select
        label="Step"
        data={found ? steps : [...steps, { value: step, label: step }]}
        value={step}
        error={error}
        allowDeselect={false}
        onChange={(id) => id !== null && onChange({ step: id, outcome: [] })}
        style={{ flex: '1 1 12rem' }}
      />
      <MultiSelect
        label="Outcome is one of"
        placeholder={outcome.length === 0 ? 'Choose outcomes' : ''}
        data={words.map((value) => ({ value, label: outcomeName(value) }))}
        value={[...outcome]}
        renderOption={({ option }) => (
          <div>
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed">
              {outcomes[option.value]}
            </Text>
          </div>
        )}
        onChange={(chosen) => onChange({ step, outcome: chosen })}
        style={{ flex: '1 1 12rem' }}
      />
    </>
  )
}
