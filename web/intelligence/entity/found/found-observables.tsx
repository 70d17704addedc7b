import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { defang } from '../../../domain/observables.ts'
import { Indicator } from '../../../ui/indicator.tsx'
import { PlainText } from '../../../ui/plain-text.tsx'
import type { NewObservable } from '../entity-draft.ts'
import { FoundList } from './found-list.tsx'
import type { TextAnalysis } from './text-analysis.ts'

interface FoundObservablesProps {
  readonly found: TextAnalysis['observables']
  readonly onAdd: (observables: readonly NewObservable[]) => void
}

/** How many are shown at first. */
const SHOWN = 8

const plain = ({ type, value }: NewObservable): NewObservable => ({ type, value })

/** Observables in a text. Those on exclusion lists are left out when all are added. */
export function FoundObservables({ found, onAdd }: FoundObservablesProps) {
  const [isOpen, setIsOpen] = useState(false)
  const useful = found.filter(({ is_excluded }) => !is_excluded)
  if (found.length === 0) return null
  return (
    <FoundList
      title="Observables"
      count={found.length}
      action={
        useful.length > 1 && (
          <Button size="compact-xs" variant="subtle" onClick={() => onAdd(useful.map(plain))}>
            {useful.length === found.length ? `Add all ${useful.length}` : `Add ${useful.length} that are not excluded`}
          </Button>
        )
      }
      more={isOpen || found.length <= SHOWN ? undefined : () => setIsOpen(true)}
    >
      {found.slice(0, isOpen ? undefined : SHOWN).map((observable) => {
        const { type, value, sentence, is_excluded } = observable
        return (
          <Group key={`${type} ${value}`} justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={0} miw={0}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <Text span size="xs" c="dimmed">
                  {type}
                  {is_excluded && ' · on an exclusion list'}
                </Text>{' '}
                <Indicator type={type} value={value} canCopy={false} />
              </Text>
              <Text size="xs" c="dimmed" lineClamp={1}>
                <PlainText text={sentence} />
              </Text>
            </Stack>
            <Button
              size="compact-xs"
              flex="none"
              variant="default"
              aria-label={`Add ${type} ${defang(type, value)}`}
              onClick={() => onAdd([plain(observable)])}
            >
              Add
            </Button>
          </Group>
        )
      })}
    </FoundList>
  )
}
