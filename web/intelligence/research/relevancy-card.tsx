import { Alert, Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { AiNote } from '../../ai/ai-note.tsx'
import { AnswerState } from '../../ai/answer-state.tsx'
import { useAnswer } from '../../ai/use-answer.ts'
import { ValueWarning } from '../../ai/value-warning.tsx'
import { defangText } from '../../domain/defang-text.ts'
import { labelOf } from '../../forms/labels.ts'
import { PageLink } from '../../ui/page-link.tsx'
import type { Relevancy } from './research.ts'

const COLOURS = { none: 'gray', low: 'blue', medium: 'yellow', high: 'red' }

/** Judges by a language model how relevant an entity is to the organisation. */
export function RelevancyCard({ id }: { readonly id: string }) {
  const answer = useAnswer<Relevancy>('contextual-relevancy')
  const { result } = answer
  return (
    <Paper component="section" aria-label="Relevancy" withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Relevancy to your organisation
        </Title>
        {!answer.isBusy && (
          <Button size="compact-sm" variant="default" onClick={() => void answer.ask({ entity: id })}>
            {result ? 'Assess again' : 'Assess relevancy'}
          </Button>
        )}
      </Group>
      <AnswerState answer={answer} doing="Comparing with the profile of your organisation" />
      {Boolean(answer.error) && (
        <Text size="sm" mt="xs">
          It is compared with the{' '}
          <PageLink to="/admin/configuration/organization-profile" underline="always">
            profile of your organisation
          </PageLink>
          .
        </Text>
      )}
      {result && <Judged relevancy={result} />}
    </Paper>
  )
}

function Judged({ relevancy }: { readonly relevancy: Relevancy }) {
  const { score, level, reasons, dropped_reasons, missing_profile, notes } = relevancy
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text fw={600}>{score} of 100</Text>
        <Badge variant="light" color={COLOURS[level]} radius="xs">
          {level}
        </Badge>
      </Group>
      {reasons.length > 0 && (
        <List spacing="xs">
          {reasons.map(({ text, quote }) => (
            <List.Item key={quote}>
              {defangText(text)}
              <Text size="sm" c="dimmed">
                “{defangText(quote)}”
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      <ValueWarning values={reasons.flatMap(({ unverified_values }) => unverified_values)} />
      {dropped_reasons > 0 && (
        <Text size="sm" c="dimmed">
          Reasons left out because their quote was not found: {dropped_reasons}
        </Text>
      )}
      {notes.map((note) => (
        <Alert key={note} color="yellow">
          {note}
        </Alert>
      ))}
      {missing_profile.length > 0 && (
        <Text size="sm">
          The <PageLink to="/admin/configuration/organization-profile">profile of your organisation</PageLink> is empty
          in: {missing_profile.map((name) => labelOf(name)).join(', ')}.
        </Text>
      )}
      <AiNote made={relevancy} />
    </Stack>
  )
}
