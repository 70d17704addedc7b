import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { AiNote } from '../../ai/ai-note.tsx'
import { ValueWarning } from '../../ai/value-warning.tsx'
import { defangText } from '../../domain/defang-text.ts'
import classes from '../entity/difference-view.module.css'
import { partsOf, type TextChange, withChanges } from './changes.ts'
import type { Rewritten } from './rewritten.ts'

interface Props {
  /** The text that was sent. */
  readonly text: string
  readonly rewritten: Rewritten
  /** Whether the text has been edited since. */
  readonly isOutdated: boolean
  readonly onApply: (text: string) => void
}

/** The changes in their text. Each can be left out. */
export function SuggestedChanges({ text, rewritten, isOutdated, onApply }: Props) {
  const { changes, unverified_values, lost_values } = rewritten
  const [refused, setRefused] = useState<ReadonlySet<number>>(new Set())
  const toggle = (index: number) =>
    setRefused((before) =>
      before.has(index) ? new Set([...before].filter((i) => i !== index)) : new Set([...before, index]),
    )
  if (changes.length === 0) return <Text size="sm">The model suggests no changes.</Text>
  return (
    <Stack gap="sm">
      <ValueWarning values={unverified_values} />
      <ValueWarning values={lost_values} title="These values would be lost" />
      <div className={classes.side}>
        {partsOf(text, changes).map((part, i) =>
          'text' in part ? (
            <span key={JSON.stringify([i])}>{defangText(part.text)}</span>
          ) : (
            <Change
              key={JSON.stringify([i])}
              change={part.change}
              number={part.index + 1}
              isRefused={refused.has(part.index)}
              onToggle={() => toggle(part.index)}
            />
          ),
        )}
      </div>
      <Group>
        <Button
          size="compact-sm"
          disabled={isOutdated || refused.size === changes.length}
          onClick={() => onApply(withChanges(text, changes, refused))}
        >
          Use {changes.length - refused.size} of {changes.length} changes
        </Button>
        {isOutdated && (
          <Text size="sm" c="dimmed">
            The text has changed since.
          </Text>
        )}
      </Group>
      <AiNote made={rewritten} />
    </Stack>
  )
}

interface ChangeProps {
  readonly change: TextChange
  readonly number: number
  readonly isRefused: boolean
  readonly onToggle: () => void
}

const Change = ({ change: { before, after }, number, isRefused, onToggle }: ChangeProps) => (
  <span>
    <Checkbox
      display="inline-block"
      size="xs"
      mx={4}
      aria-label={`Change ${number}: ${before} → ${after}`}
      checked={!isRefused}
      onChange={onToggle}
    />
    {before !== '' &&
      (isRefused ? <span>{defangText(before)}</span> : <del className={classes.removed}>{defangText(before)}</del>)}
    {after !== '' && !isRefused && <ins className={classes.added}>{defangText(after)}</ins>}
  </span>
)
