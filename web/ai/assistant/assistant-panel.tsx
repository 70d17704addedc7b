import {
  ActionIcon,
  Button,
  Checkbox,
  CloseButton,
  Group,
  ScrollArea,
  Stack,
  Text,
  Title,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { oneQuery } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { Icon } from '../../ui/icon.tsx'
import classes from './assistant-panel.module.css'
import { coloursOf, type PageContext } from './conversation.ts'
import { QuestionBox } from './question-box.tsx'
import { TurnView } from './turn-view.tsx'
import type { Conversation } from './use-conversation.ts'

interface AssistantPanelProps {
  readonly conversation: Conversation
  /** The page that the user looks at. */
  readonly context: PageContext
  readonly onClose: () => void
}

/** The assistant: a conversation next to the page, which it can take into account. */
export function AssistantPanel({ conversation, context, onClose }: AssistantPanelProps) {
  const { turns, isAnswering, ask, retry, stop, clear } = conversation
  const [isPageUsed, setIsPageUsed] = useState(true)
  const box = useRef<HTMLTextAreaElement>(null)
  const view = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const last = turns.at(-1)
  const arrived = `${last?.id} ${last?.state} ${last?.answer.length}`
  useEffect(() => {
    if (arrived !== '' && isNearEnd(view.current)) scrollToEnd(view.current)
  }, [arrived])
  const send = (question: string) => {
    ask(question, isPageUsed ? context : {})
    // The new question is shown even if the user had scrolled up.
    requestAnimationFrame(() => scrollToEnd(view.current))
  }
  const listen = (event: KeyboardEvent) => {
    // Events in dialogs of the panel bubble up to here, too.
    const isWithin = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key !== 'Escape' || event.defaultPrevented || !isWithin) return
    event.preventDefault()
    onClose()
  }
  const colours = coloursOf(turns)
  return (
    <Stack h="100%" gap={0} onKeyDown={listen}>
      <Group justify="space-between" p="sm" wrap="nowrap">
        <Title order={2} size="h4">
          Assistant
        </Title>
        <Group gap={4} wrap="nowrap">
          <Tooltip label="New conversation">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="New conversation"
              disabled={turns.length === 0}
              onClick={() => {
                clear()
                box.current?.focus()
              }}
            >
              <Icon name="plus" />
            </ActionIcon>
          </Tooltip>
          <CloseButton aria-label="Close assistant" onClick={onClose} />
        </Group>
      </Group>
      <ScrollArea className={classes.turns} viewportRef={view} px="sm" type="auto" offsetScrollbars="y">
        <Stack gap="lg" pb="sm" role="log" aria-label="Conversation" aria-live="polite">
          {turns.length === 0 && <Examples context={isPageUsed ? context : {}} onAsk={send} />}
          {turns.map((turn, i) => (
            <TurnView key={turn.id} turn={turn} tlp={colours[i]} onRetry={i === turns.length - 1 ? retry : undefined} />
          ))}
        </Stack>
      </ScrollArea>
      <VisuallyHidden role="status">{isAnswering ? 'The assistant is answering.' : ''}</VisuallyHidden>
      <Stack gap="xs" p="sm" className={classes.box}>
        <PageChoice context={context} isUsed={isPageUsed} onChange={setIsPageUsed} />
        <QuestionBox box={box} isAnswering={isAnswering} onAsk={send} onStop={stop} />
      </Stack>
    </Stack>
  )
}

/** Within this distance of the end, the text that arrives is followed. */
const NEAR_PX = 160

function isNearEnd(view: HTMLElement | null): boolean {
  return view !== null && view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_PX
}

function scrollToEnd(view: HTMLElement | null): void {
  if (view) view.scrollTop = view.scrollHeight
}

interface PageChoiceProps {
  readonly context: PageContext
  readonly isUsed: boolean
  readonly onChange: (isUsed: boolean) => void
}

/** Whether the page is taken into account, if it shows an entity or search results. */
function PageChoice({ context: { entity, search }, isUsed, onChange }: PageChoiceProps) {
  const { data } = useQuery({ ...oneQuery<Entity>(`entities/${entity}`), enabled: entity !== undefined })
  if (entity === undefined && search === undefined) return null
  const label =
    entity === undefined ? 'Use the results of this search' : `Use this page: ${data ? entityTitle(data) : '…'}`
  return (
    <Checkbox
      size="xs"
      checked={isUsed}
      label={label}
      styles={{ label: { overflowWrap: 'anywhere' } }}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

const ABOUT_ENTITY = [
  'What is known about this, in five sentences?',
  'Which malware, tools and techniques are mentioned?',
  'Which other threats in our intelligence are similar?',
]
const ABOUT_SEARCH = ['What do these results have in common?', 'Which of these results needs attention first, and why?']
const ABOUT_ALL = ['Which threat actors attack the financial sector?', 'What do we know about ransomware this year?']

function Examples({ context, onAsk }: { readonly context: PageContext; readonly onAsk: (question: string) => void }) {
  const questions =
    context.entity !== undefined ? ABOUT_ENTITY : context.search !== undefined ? ABOUT_SEARCH : ABOUT_ALL
  return (
    <Stack gap="xs" align="flex-start" pt="md">
      <Text size="sm">
        Ask about the intelligence that you can read. Answers cite their sources, so that you can check them.
      </Text>
      {questions.map((question) => (
        <Button
          key={question}
          variant="default"
          size="compact-sm"
          h="auto"
          py={4}
          fw={400}
          styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4, overflow: 'visible' } }}
          onClick={() => onAsk(question)}
        >
          {question}
        </Button>
      ))}
    </Stack>
  )
}
