import { Badge, Progress, Stack, Text } from '@mantine/core'
import { defangText } from '../../domain/defang-text.ts'
import { type Detonation, isUnderWay } from './detonation-queries.ts'
import { progressOf, STATES, VERDICTS } from './detonation-words.ts'

/** The state of a detonation as text and colour. */
export const DetonationState = ({ state }: Pick<Detonation, 'state'>) => (
  <Badge variant="light" radius="xs" color={STATES[state].color} flex="none">
    {STATES[state].label}
  </Badge>
)

interface VerdictBadgeProps {
  readonly verdict: Detonation['verdict']
  readonly score?: number | null
}

/** What a report says about the sample, with its score; nothing before there is a report. */
export function VerdictBadge({ verdict, score = null }: VerdictBadgeProps) {
  if (verdict === null) return null
  const { label, color } = VERDICTS[verdict]
  return (
    <Badge variant="light" radius="xs" color={color} flex="none">
      {label}
      {score !== null && ` · ${score}/100`}
    </Badge>
  )
}

/** What a detonation that is under way is doing, as text and a bar. */
export function DetonationProgress({
  detonation,
}: {
  readonly detonation: Pick<Detonation, 'state' | 'state_reason'>
}) {
  const { text, percent } = progressOf(detonation)
  return (
    <Stack gap={6}>
      <Text size="sm" role="status">
        {text}
        {detonation.state_reason && `: ${defangText(detonation.state_reason)}`}
      </Text>
      <Progress value={percent} animated={isUnderWay(detonation)} aria-label={text} />
    </Stack>
  )
}
