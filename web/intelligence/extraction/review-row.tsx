import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Decisions } from './extraction.ts'
import classes from './review.module.css'

export interface Deciding {
  readonly decisions: Decisions
  readonly decide: (keys: readonly string[], decision: 'accepted' | 'refused' | undefined) => void
}

interface ReviewRowProps extends Deciding {
  readonly id: string
  /** What is accepted or refused, for screen readers. */
  readonly name: string
  readonly children: ReactNode
}

const CHOICES = [
  { decision: 'accepted', label: 'Accept', color: 'green' },
  { decision: 'refused', label: 'Refuse', color: 'gray.7' },
] as const

/** An item of a review with the buttons to decide about it. */
export function ReviewRow({ id, name, decisions, decide, children }: ReviewRowProps) {
  const current = decisions.get(id)
  return (
    <fieldset
      className={classes.row}
      tabIndex={-1}
      data-review-key={id}
      data-decision={current}
      aria-label={current ? `${name}, ${current}` : name}
    >
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: '1 1 16rem', minWidth: 0 }}>{children}</div>
        <Group gap={6} wrap="nowrap">
          {CHOICES.map(({ decision, label, color }) => (
            <Button
              key={decision}
              size="compact-sm"
              variant={current === decision ? 'filled' : 'default'}
              color={color}
              aria-pressed={current === decision}
              aria-label={`${label} ${name}`}
              onClick={() => decide([id], current === decision ? undefined : decision)}
            >
              {label}
            </Button>
          ))}
        </Group>
      </Group>
    </fieldset>
  )
}
