import { Button, Group, Text, Textarea } from '@mantine/core'
import { type RefObject, useState } from 'react'

interface QuestionBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly isAnswering: boolean
  readonly onAsk: (question: string) => void
  readonly onStop: () => void
}

/** Longer questions are refused by the server. */
const MAX_LENGTH = 10_000

/** Where questions are typed. Enter sends them, Shift+Enter starts a new line. */
export function QuestionBox({ box, isAnswering, onAsk, onStop }: QuestionBoxProps) {
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const send = () => {
    if (isEmpty || isAnswering) return
    onAsk(text.trim())
    setText('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Textarea
        ref={box}
        label="Question"
        placeholder="Ask about your intelligence"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      <Group justify="space-between" mt="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          Answers can be wrong. Check their sources.
        </Text>
        {/* With keys, because the click that stops would submit a question that was typed meanwhile if the button stayed the same. */}
        {isAnswering ? (
          <Button
            key="stop"
            variant="default"
            onClick={() => {
              onStop()
              box.current?.focus()
            }}
          >
            Stop
          </Button>
        ) : (
          <Button key="ask" type="submit" disabled={isEmpty}>
            Ask
          </Button>
        )}
      </Group>
    </form>
  )
}
