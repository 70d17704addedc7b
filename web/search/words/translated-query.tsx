import { Alert, List, Stack, Text } from '@mantine/core'
import { AiNote } from '../../ai/ai-note.tsx'
import type { Searched } from '../filters.ts'
import type { LeftOut, Translated } from './ask-words.ts'

interface TranslatedQueryProps {
  readonly translated: Translated
  readonly searched: Searched
  readonly hasFilters: boolean
}

/** What a query looks for and would find, and what of the question is not in it. */
export function TranslatedQuery({ translated, searched, hasFilters }: TranslatedQueryProps) {
  const { query, explanation, total_count, dropped, corrected } = translated
  return (
    <Stack gap="xs">
      {query === null ? (
        <Alert color="gray" variant="light" title="No query for this question">
          Name what you look for: a type, a tag, a time, or words of a title.
        </Alert>
      ) : (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {explanation}
          </Text>
          <Text size="sm" fw={600}>
            {found(total_count ?? 0, searched)}
            {hasFilters && ' without the filters below'}
          </Text>
          <Text size="sm" c="dimmed">
            The query is in the box and has not run. Check it, change it, and press Search.
          </Text>
        </>
      )}
      <LeftOutList color="yellow" title="Not in the query" parts={dropped} />
      <LeftOutList color="gray" title="Corrected by the model" parts={corrected} />
      <AiNote made={translated} />
    </Stack>
  )
}

const NAMES: Readonly<Record<Searched, readonly [string, string]>> = {
  entities: ['entity', 'entities'],
  observables: ['observable', 'observables'],
}

const found = (count: number, searched: Searched): string =>
  `${count.toLocaleString('en')} ${NAMES[searched][count === 1 ? 0 : 1]}`

interface LeftOutListProps {
  readonly color: string
  readonly title: string
  readonly parts: readonly LeftOut[]
}

function LeftOutList({ color, title, parts }: LeftOutListProps) {
  if (parts.length === 0) return null
  return (
    <Alert color={color} variant="light" title={title}>
      <List size="sm">
        {parts.map(({ clause, reason }) => (
          <List.Item key={JSON.stringify([clause, reason])} style={{ overflowWrap: 'anywhere' }}>
            <b>{clause}</b>: {reason}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
