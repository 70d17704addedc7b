import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PlainText } from '../../../ui/plain-text.tsx'
import { nodeOf } from '../node-of.ts'
import { FoundList } from './found-list.tsx'
import type { FoundTechnique } from './text-analysis.ts'

interface FoundTechniquesProps {
  readonly found: readonly FoundTechnique[]
  /** The ids of the nodes that the form classifies with. */
  readonly chosen: readonly string[]
  readonly onAdd: (technique: FoundTechnique) => void
}

/** How many are shown at first. */
const SHOWN = 6

const REASONS = { id: 'named by its id', name: 'named', text: 'similar text' } as const

/** Techniques that a text may be about, with the sentence that suggests each. */
export function FoundTechniques({ found, chosen, onAdd }: FoundTechniquesProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (found.length === 0) return null
  return (
    <FoundList
      title="Techniques"
      count={found.length}
      more={isOpen || found.length <= SHOWN ? undefined : () => setIsOpen(true)}
    >
      {found.slice(0, isOpen ? undefined : SHOWN).map((technique) => {
        const { technique: id, name, score, found_by, evidence, attacks } = technique
        const [first] = evidence
        const percent = Math.round(score * 100)
        return (
          <Group key={attacks.join()} justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={2} miw={0}>
              <Group gap="xs">
                <Text size="sm" fw={500}>
                  {id} {name}
                </Text>
                <Progress value={percent} w={60} size="sm" aria-label={`Likelihood of ${id}: ${percent}%`} />
                <Text size="xs" c="dimmed">
                  {found_by.map((each) => REASONS[each]).join(', ')}
                </Text>
              </Group>
              {first && (
                <Text size="xs" c="dimmed" lineClamp={2}>
                  <PlainText text={first.sentence} />
                </Text>
              )}
              {first?.similar_to && (
                <Text size="xs" c="dimmed" fs="italic" lineClamp={2}>
                  Similar in ATT&CK: <PlainText text={first.similar_to} />
                </Text>
              )}
            </Stack>
            <Button
              size="compact-xs"
              flex="none"
              variant="default"
              aria-label={`Classify with ${id} ${name}`}
              onClick={() => onAdd(technique)}
            >
              {attacks.some((each) => chosen.includes(nodeOf(each))) ? 'Add all tactics' : 'Classify'}
            </Button>
          </Group>
        )
      })}
    </FoundList>
  )
}
