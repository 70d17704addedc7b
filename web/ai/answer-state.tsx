import { Alert, Button, Group, Loader, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { AiFaults } from './ai-faults.tsx'
import type { UnverifiedValue } from './made.ts'
import type { Answer } from './use-answer.ts'
import { ValueWarning } from './value-warning.tsx'

interface AnswerStateProps {
  readonly answer: Pick<Answer<unknown>, 'isBusy' | 'isStopped' | 'progress' | 'error' | 'stop'>
  /** What the model does. */
  readonly doing?: string
}

/** How far a model is, with a button that stops it, or why it failed. */
export function AnswerState({
  answer: { isBusy, isStopped, progress, error, stop },
  doing = 'Writing',
}: AnswerStateProps) {
  const parts = progress && progress.step !== 'writing' && progress.total > 1 ? progress : undefined
  return (
    <>
      <AiFaults error={error} />
      {isStopped && <Stopped />}
      {isBusy && (
        <Stack gap={6}>
          <Group gap="xs" role="status">
            <Loader size="xs" />
            <Text size="sm">
              {parts
                ? `${parts.step === 'reading' ? 'Reading' : doing} part ${Math.min(parts.done + 1, parts.total)} of ${parts.total}…`
                : `${doing}…`}
            </Text>
            <Button size="compact-sm" variant="default" ml="auto" onClick={stop}>
              Stop
            </Button>
          </Group>
          {parts && <Progress value={(parts.done / parts.total) * 100} size="sm" aria-label="Progress" />}
        </Stack>
      )}
    </>
  )
}

/** Takes the focus of the button that stopped the model, so that the keys of a dialog still work. */
function Stopped() {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <Text ref={text} size="sm" c="dimmed" role="status" tabIndex={-1}>
      Stopped before the end.
    </Text>
  )
}

interface WarningsProps {
  readonly unverified: readonly UnverifiedValue[]
  readonly isCutOff: boolean
}

/** What a reader has to check before relying on a generated text. */
export function Warnings({ unverified, isCutOff }: WarningsProps) {
  return (
    <>
      <ValueWarning values={unverified} />
      {isCutOff && (
        <Alert color="yellow" variant="light">
          The model reached its maximum length, so the text may be incomplete.
        </Alert>
      )}
    </>
  )
}
