import { Button, Grid, Paper, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listQuery } from '../../../api/lists.ts'
import type { ContentGenerationPrompt } from '../../../api/resources.ts'
import { useMay } from '../../../api/session.ts'
import { useNamedEntities } from '../../../intelligence/use-named-entities.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadFault } from '../../../ui/load-fault.tsx'
import { NoPermission } from '../../../ui/no-permission.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { useUrlState } from '../../../ui/use-url-state.ts'
import { AnswerState } from '../../answer-state.tsx'
import { useAiAvailability } from '../../features.ts'
import { useAnswer } from '../../use-answer.ts'
import { ChosenEntities } from './chosen-entities.tsx'
import { type Generated, unfitTypes, usablePrompts } from './content.ts'
import { ContentResult } from './content-result.tsx'
import { PromptChoice } from './prompt-choice.tsx'

const PROMPTS = 'content-generation-prompts'
const PERMISSIONS = ['read configurations', 'read entities']

/** Writes about entities with one of the prompts of the organisation. */
export function ContentPage() {
  const may = useMay()
  const missing = PERMISSIONS.find((permission) => !may(permission))
  const { isKnown, has } = useAiAvailability()
  if (missing) return <NoPermission permission={missing} />
  const isAvailable = has('ai_content_generation')
  return (
    <>
      <PageHead
        title="Generate content"
        description="Write about entities with the prompts of your organisation."
        actions={
          isAvailable && (
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/admin/$collection" params={{ collection: PROMPTS }} {...props} />}
            >
              {may('modify configurations') ? 'Manage prompts' : 'Show prompts'}
            </Button>
          )
        }
      />
      {!isKnown && <Skeleton height={320} />}
      {isKnown && !isAvailable && (
        <EmptyState
          title="Content generation is not available"
          action={
            <PageLink to="/admin/language-models" search={{ tab: 'features' }}>
              Language models
            </PageLink>
          }
        >
          An administrator can assign a provider and a model to it.
        </EmptyState>
      )}
      {isAvailable && <Generation />}
    </>
  )
}

function Generation() {
  const may = useMay()
  const url = useUrlState()
  const prompts = useQuery(listQuery<ContentGenerationPrompt>(PROMPTS, { limit: 2_000 }))
  const ids = url
    .get('entities')
    .split(',')
    .filter((id) => id !== '')
  const entities = useNamedEntities(ids)
  const answer = useAnswer<Generated>('content-generation')
  const [asked, setAsked] = useState<readonly string[]>([])
  const usable = usablePrompts(prompts.data?.data ?? [])
  const prompt = usable.find(({ id }) => String(id) === url.get('prompt')) ?? usable[0]
  // Entities that the user cannot see, or that were deleted, are left out.
  const known = ids.flatMap((id) => entities?.get(id) ?? [])
  const types = known.map(({ data }) => data.type)
  const isReady = prompt !== undefined && known.length > 0 && unfitTypes(prompt, types).length === 0
  const start = () => {
    const chosen = known.map(({ id }) => id)
    setAsked(chosen)
    void answer.ask({ entities: chosen, content_prompt: prompt?.id })
  }
  const mayModify = may('modify configurations')
  return (
    <>
      <LoadFault query={prompts} />
      {prompts.data && usable.length === 0 && (
        <EmptyState
          title="No prompts yet"
          action={
            mayModify && (
              <Button
                renderRoot={(props) => (
                  <Link to="/admin/$collection/$id" params={{ collection: PROMPTS, id: 'new' }} {...props} />
                )}
              >
                Create prompt
              </Button>
            )
          }
        >
          A prompt says what is written, about which types of entities, and in which language and form.
        </EmptyState>
      )}
      {prompt && (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
            <Paper withBorder p="md" component="section" aria-label="What to write">
              <Stack>
                <ChosenEntities
                  ids={ids}
                  entities={entities}
                  onChange={(chosen) => url.set({ entities: chosen.join(',') }, true)}
                />
                <PromptChoice
                  prompts={usable}
                  chosen={prompt}
                  types={types}
                  onChange={(id) => url.set({ prompt: id }, true)}
                />
                <Button disabled={!isReady || answer.isBusy} onClick={start}>
                  {answer.result ? 'Generate again' : 'Generate'}
                </Button>
              </Stack>
            </Paper>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
            <Stack>
              <AnswerState answer={answer} />
              {answer.result && (
                <ContentResult
                  key={answer.result.generated_by.generated_at}
                  generated={answer.result}
                  entities={asked}
                />
              )}
              {!answer.result && !answer.isBusy && !answer.error && (
                <EmptyState title="Nothing generated yet">
                  Select entities and a prompt. The text appears here, and is saved only when you save it.
                </EmptyState>
              )}
            </Stack>
          </Grid.Col>
        </Grid>
      )}
    </>
  )
}
