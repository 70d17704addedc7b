import { Button, Group, List, Loader, Paper, Stack, Text } from '@mantine/core'
import { idOf } from '../../api/lists.ts'
import { defangText } from '../../domain/defang-text.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { AiFaults } from '../ai-faults.tsx'
import { AiNote } from '../ai-note.tsx'
import { AiText } from '../ai-text.tsx'
import { type Citation, withProviderNames } from '../made.ts'
import { ValueWarning } from '../value-warning.tsx'
import type { Turn } from './conversation.ts'

interface TurnViewProps {
  readonly turn: Turn
  readonly tlp: string | undefined
  /** Absent if there are later questions. */
  readonly onRetry?: (() => void) | undefined
}

/** A question and its answer. */
export function TurnView({ turn, tlp, onRetry }: TurnViewProps) {
  const { question, answer, citations, state, result, error } = turn
  const isAnswering = state === 'answering'
  return (
    <Stack gap="xs" component="article" aria-label={`Question: ${question.slice(0, 80)}`} aria-busy={isAnswering}>
      <Paper px="sm" py={6} ml="xl" bg="var(--mantine-primary-color-light)" style={{ alignSelf: 'flex-end' }}>
        <Text size="sm" component="div">
          <PlainText text={question} />
        </Text>
      </Paper>
      {answer !== '' && <AiText text={answer} citations={citations} unverified={result?.unverified_values ?? []} />}
      {isAnswering && answer === '' && (
        <Group gap="xs">
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed">
            Reading and thinking…
          </Text>
        </Group>
      )}
      {state === 'stopped' && (
        <Text size="xs" c="dimmed">
          Stopped. The answer is not complete.
        </Text>
      )}
      {state === 'failed' && <AiFaults error={error} />}
      {(state === 'failed' || state === 'stopped') && onRetry && (
        <Button variant="default" size="compact-sm" style={{ alignSelf: 'flex-start' }} onClick={onRetry}>
          Ask again
        </Button>
      )}
      <ValueWarning values={result?.unverified_values ?? []} />
      <Sources citations={citations} />
      {result && !result.is_semantic && citations.length > 0 && (
        <Text size="xs" c="dimmed">
          Sources were found by their words, not by their meaning.
        </Text>
      )}
      {result?.notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {defangText(withProviderNames(note))}
        </Text>
      ))}
      {result && <AiNote made={result} tlp={tlp} />}
    </Stack>
  )
}

function Sources({ citations }: { readonly citations: readonly Citation[] }) {
  if (citations.length === 0) return null
  return (
    <Stack gap={4} role="group" aria-label="Sources">
      <Text size="xs" fw={600}>
        Sources
      </Text>
      <List size="xs" listStyleType="none" spacing={4}>
        {citations
          .toSorted((a, b) => a.n - b.n)
          .map(({ n, entity, title, quote }) => (
            <List.Item key={n}>
              [{n}]{' '}
              <PageLink to={`/entities/${idOf(entity)}`} size="xs" underline="always">
                {defangText(title)}
              </PageLink>
              <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                “{defangText(quote)}”
              </Text>
            </List.Item>
          ))}
      </List>
    </Stack>
  )
}
