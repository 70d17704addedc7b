import { Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { SaveGenerated } from '../../../intelligence/save-generated.tsx'
import { CopyAs } from '../../../ui/copy-as.tsx'
import { PlainText } from '../../../ui/plain-text.tsx'
import { AiNote } from '../../ai-note.tsx'
import { AiText } from '../../ai-text.tsx'
import { AnswerState, Warnings } from '../../answer-state.tsx'
import { useAnswer } from '../../use-answer.ts'
import { type Generated, type Refined, refinedFrom } from './content.ts'

interface ContentResultProps {
  readonly generated: Generated
  /** The ids of the entities that it is about. */
  readonly entities: readonly string[]
}

/** A generated text, which can be refined, and saved as an entity. Earlier versions stay until another text is generated. */
export function ContentResult({ generated, entities }: ContentResultProps) {
  const [versions, setVersions] = useState<readonly Generated[]>([generated])
  const [shown, setShown] = useState(0)
  const current = versions[shown] ?? generated
  const { title, content, unverified_values, is_cut_off } = current
  return (
    <Paper withBorder p="md" component="section" aria-label="Generated content">
      <Stack>
        <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
          <PlainText text={title} />
        </Title>
        <AiText text={content} unverified={unverified_values} />
        <Warnings unverified={unverified_values} isCutOff={is_cut_off} />
        <AiNote made={current} />
        <Group gap="xs">
          <CopyAs text={content} />
          {versions.length > 1 && <VersionChoice count={versions.length} shown={shown} onShow={setShown} />}
        </Group>
        <Refinement
          of={current}
          entities={entities}
          onRefined={(refined) => {
            setVersions((before) => [...before, refined])
            setShown(versions.length)
          }}
        />
        <SaveGenerated
          key={current.generated_by.generated_at}
          made={current}
          title={title}
          text={content}
          format="markdown"
          types={['report', 'note']}
        />
      </Stack>
    </Paper>
  )
}

interface VersionChoiceProps {
  readonly count: number
  readonly shown: number
  readonly onShow: (index: number) => void
}

const VersionChoice = ({ count, shown, onShow }: VersionChoiceProps) => (
  <Group gap="xs" ml="auto">
    <Button size="compact-sm" variant="default" disabled={shown === 0} onClick={() => onShow(shown - 1)}>
      Previous
    </Button>
    <Text size="sm" role="status">
      Version {shown + 1} of {count}
    </Text>
    <Button size="compact-sm" variant="default" disabled={shown === count - 1} onClick={() => onShow(shown + 1)}>
      Next
    </Button>
  </Group>
)

interface RefinementProps {
  readonly of: Generated
  readonly entities: readonly string[]
  readonly onRefined: (refined: Generated) => void
}

/** Has the model change a text as the user asks. */
function Refinement({ of, entities, onRefined }: RefinementProps) {
  const [wish, setWish] = useState('')
  const answer = useAnswer<Refined>('content-generation/refine')
  const refine = async () => {
    const { title, content } = of
    const refined = await answer.ask({ entity_info: { title, content }, user_query: wish.trim(), entities })
    if (!refined) return
    setWish('')
    onRefined(refinedFrom(of, refined))
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (wish.trim() !== '' && !answer.isBusy) void refine()
      }}
    >
      <Group align="end">
        <Textarea
          flex="1 1 16rem"
          label="Refine"
          placeholder="For example: shorter, and for managers"
          autosize
          maxLength={5_000}
          value={wish}
          onChange={({ currentTarget }) => setWish(currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={wish.trim() === '' || answer.isBusy}>
          Refine
        </Button>
      </Group>
      <AnswerState answer={answer} />
    </form>
  )
}
