import { Alert, Anchor, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { AiNote } from '../../ai/ai-note.tsx'
import { AiText } from '../../ai/ai-text.tsx'
import { AnswerState } from '../../ai/answer-state.tsx'
import { withProviderNames } from '../../ai/made.ts'
import { useAnswer } from '../../ai/use-answer.ts'
import { ValueWarning } from '../../ai/value-warning.tsx'
import { idOf } from '../../api/lists.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { SaveGenerated } from '../save-generated.tsx'
import { RefineEnrichment } from './refine-enrichment.tsx'
import { type Enrichment, textOf } from './research.ts'

/** Asks a language model what is known about an entity. The result can be refined, and saved as a note. */
export function EnrichmentCard({ id }: { readonly id: string }) {
  const answer = useAnswer<Enrichment>('web-enrichment')
  const { result } = answer
  return (
    <Paper component="section" aria-label="Web enrichment" withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Web enrichment
        </Title>
        {!answer.isBusy && (
          <Button size="compact-sm" variant="default" onClick={() => void answer.ask({ entity: id })}>
            {result ? 'Start again' : 'Find out more'}
          </Button>
        )}
      </Group>
      <AnswerState answer={answer} doing="Looking for what is known" />
      {result && <Refinable key={result.generated_by.generated_at} enrichment={result} />}
    </Paper>
  )
}

function Refinable({ enrichment }: { readonly enrichment: Enrichment }) {
  const [current, setCurrent] = useState(enrichment)
  const [asked, setAsked] = useState<readonly string[]>([])
  return (
    <Stack gap="sm">
      <Found enrichment={current} />
      <RefineEnrichment
        of={current}
        asked={asked}
        onRefined={(refined, wish) => {
          setCurrent(refined)
          setAsked((before) => [...before, wish])
        }}
      />
      <SaveGenerated
        key={current.generated_by.generated_at}
        made={current}
        title={current.title}
        text={textOf(current)}
        format="markdown"
        types={['note', 'report']}
      />
    </Stack>
  )
}

function Found({ enrichment }: { readonly enrichment: Enrichment }) {
  const { title, description, key_highlights, notes, removed_urls, unverified_values } = enrichment
  return (
    <Stack gap="sm">
      {notes.map((note) => (
        <Alert key={note}>{withProviderNames(note)}</Alert>
      ))}
      <Title order={3} size="h5">
        {defangText(title)}
      </Title>
      <AiText text={description.join('\n\n')} unverified={unverified_values} />
      {key_highlights.length > 0 && (
        <List size="sm">
          {key_highlights.map((highlight) => (
            <List.Item key={highlight}>{defangText(highlight)}</List.Item>
          ))}
        </List>
      )}
      <ValueWarning values={unverified_values} />
      <Related enrichment={enrichment} />
      <Sources enrichment={enrichment} />
      {removed_urls > 0 && (
        <Text size="sm" c="dimmed">
          Links removed because they are no source: {removed_urls}
        </Text>
      )}
      <AiNote made={enrichment} />
    </Stack>
  )
}

const Related = ({ enrichment: { related_entities } }: { readonly enrichment: Enrichment }) =>
  related_entities.length > 0 && (
    <div>
      <Text size="sm" fw={500}>
        Related entities
      </Text>
      <List size="sm">
        {related_entities.map(({ name, type, quote, entity }) => (
          <List.Item key={`${type} ${name}`}>
            {entity === null ? (
              defangText(name)
            ) : (
              <PageLink to={`/entities/${idOf(entity)}`}>{defangText(name)}</PageLink>
            )}{' '}
            ({entityTypeName(type)}): “{defangText(quote)}”
          </List.Item>
        ))}
      </List>
    </div>
  )

const Sources = ({ enrichment: { sources } }: { readonly enrichment: Enrichment }) =>
  sources.length > 0 && (
    <div>
      <Text size="sm" fw={500}>
        Sources
      </Text>
      {sources.map(({ n, title, url, entity, date }) => (
        <Text key={n} size="sm">
          [{n}]{' '}
          {entity !== null ? (
            <PageLink to={`/entities/${idOf(entity)}`}>{defangText(title)}</PageLink>
          ) : url !== null && /^https?:\/\//.test(url) ? (
            <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>
              {title}
            </Anchor>
          ) : (
            defangText(title)
          )}
          {date !== null && ` (${date})`}
        </Text>
      ))}
    </div>
  )
