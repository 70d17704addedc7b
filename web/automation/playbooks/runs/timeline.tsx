import { Alert, Badge, Button, Collapse, Group, Stack, Text, Timeline, Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { lasted } from '../../../background/run-list.ts'
import { defangText } from '../../../domain/defang-text.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Moment } from '../../../ui/moment.tsx'
import type { Names } from '../names.ts'
import { outcomeName, type StepKind } from '../playbook.ts'
import { referenceField } from '../references.ts'
import { stepInWords } from '../step-words.ts'
import { inputFacts, outputFacts } from './output-facts.tsx'
import { type RunStep, remedyFor, STEP_STATES, stepOf } from './run-step.ts'

interface StepTimelineProps {
  readonly steps: readonly RunStep[]
  readonly kinds: readonly StepKind[]
  readonly names: Names
  /** Whether it says what would happen, without times. */
  readonly isTrial?: boolean
  /** Shown below a step. */
  readonly below?: (step: RunStep) => ReactNode
}

const ICONS: Readonly<Record<RunStep['state'], IconName>> = {
  PENDING: 'runs',
  STARTED: 'refresh',
  WAITING: 'pause',
  SUCCESS: 'check',
  WARNING: 'warning',
  FAILURE: 'close',
  SKIPPED: 'corner',
}

/** The steps of a run in their order, each with its outcome, what it was given and what came of it. */
export const StepTimeline = ({ steps, kinds, names, isTrial = false, below }: StepTimelineProps) => (
  <Timeline bulletSize={26} lineWidth={2} active={steps.length} aria-label="Steps" role="list">
    {steps.map((step) => (
      <Timeline.Item
        key={step.id}
        role="listitem"
        color={STEP_STATES[step.state].color}
        bullet={<Icon name={ICONS[step.state]} size={14} />}
        title={<StepTitle step={step} kinds={kinds} names={names} />}
      >
        <Stack gap={6} mt={4}>
          <StepState step={step} kinds={kinds} isTrial={isTrial} />
          <StepDetails step={step} kinds={kinds} names={names} isTrial={isTrial} />
          {below?.(step)}
        </Stack>
      </Timeline.Item>
    ))}
  </Timeline>
)

const kindOf = (kinds: readonly StepKind[], { kind }: RunStep) => kinds.find((each) => each.kind === kind)

const StepTitle = ({ step, kinds, names }: Pick<StepTimelineProps, 'kinds' | 'names'> & { readonly step: RunStep }) => (
  <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }} {...(step.state === 'SKIPPED' && { c: 'dimmed' })}>
    {stepInWords(stepOf(step), kindOf(kinds, step), names)}
  </Text>
)

interface StepProps extends Pick<StepTimelineProps, 'kinds'> {
  readonly step: RunStep
  readonly isTrial: boolean
}

const TRIAL_LABELS: Partial<Readonly<Record<RunStep['state'], string>>> = {
  PENDING: 'Not reached',
  SUCCESS: 'Would be done',
  WARNING: 'Would be done with warnings',
  FAILURE: 'Would fail',
  SKIPPED: 'Would be skipped',
  WAITING: 'Would wait',
}

function StepState({ step, kinds, isTrial }: StepProps) {
  const { label, color } = STEP_STATES[step.state]
  const meaning = step.outcome === null ? undefined : kindOf(kinds, step)?.outcomes[step.outcome]
  return (
    <Group gap={6}>
      <Badge variant="light" radius="xs" color={color}>
        {isTrial ? (TRIAL_LABELS[step.state] ?? label) : label}
      </Badge>
      {step.outcome !== null && (
        <Tooltip
          label={meaning}
          disabled={!meaning}
          multiline
          maw={320}
          events={{ hover: true, focus: true, touch: true }}
        >
          <Badge variant="default" radius="xs" tt="none" {...(meaning && { tabIndex: 0 })}>
            {outcomeName(step.outcome)}
          </Badge>
        </Tooltip>
      )}
      {!isTrial && step.started_at !== null && (
        <Text size="xs" c="dimmed">
          <Moment at={step.started_at} /> · {lasted(step.started_at, step.ended_at, Date.now())}
          {step.attempts > 1 && ` · ${step.attempts} attempts`}
        </Text>
      )}
    </Group>
  )
}

function StepDetails({ step, kinds, names, isTrial }: StepProps & Pick<StepTimelineProps, 'names'>) {
  const [isOpen, setIsOpen] = useState(false)
  const schema = kindOf(kinds, step)?.parameters.properties ?? {}
  const outputs = outputFacts(step.output, step.input, names)
  const inputs = inputFacts(
    step.input,
    (name) => (schema[name] ? referenceField(schema[name])?.collection : undefined),
    names,
  )
  return (
    <>
      {outputs.length > 0 && <Facts columns={isTrial ? 2 : 3} facts={outputs} />}
      {step.warnings.map((warning) => (
        <Alert key={warning} color="yellow" p="xs" icon={<Icon name="warning" />}>
          {defangText(warning)}
        </Alert>
      ))}
      {step.error !== null && (
        <Alert color="red" p="xs" icon={<Icon name="warning" />} title={defangText(step.error)}>
          {!isTrial && remedyFor(step.error)}
        </Alert>
      )}
      {!isTrial && step.state !== 'PENDING' && inputs.length > 0 && (
        <div>
          <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Hide input' : 'Show input'}
          </Button>
          <Collapse expanded={isOpen}>
            <div style={{ paddingTop: 6 }}>{isOpen && <Facts columns={3} facts={inputs} />}</div>
          </Collapse>
        </div>
      )}
    </>
  )
}
