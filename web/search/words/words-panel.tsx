import { ActionIcon, Button, Group, Loader, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { AiFaults } from '../../ai/ai-faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Searched } from '../filters.ts'
import { askInWords, type Translated } from './ask-words.ts'
import { TranslatedQuery } from './translated-query.tsx'

interface WordsPanelProps {
  readonly id: string
  readonly searched: Searched
  readonly hasFilters: boolean
  /** Puts a query into the box, without running it. */
  readonly onDraft: (query: string) => void
  readonly onClose: () => void
}

const PLACEHOLDERS: Readonly<Record<Searched, string>> = {
  entities: 'Indicators about phishing from last week with high confidence',
  observables: 'Domains below example.org that are at least of medium maliciousness',
}

/** Asks for a query in words. The user sees the query, and what is missing in it, before it runs. */
export function WordsPanel({ id, searched, hasFilters, onDraft, onClose }: WordsPanelProps) {
  const [question, setQuestion] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const asked = useMutation<Translated | null, unknown, string>({
    mutationFn: async (text) => {
      const controller = new AbortController()
      running.current = controller
      try {
        return await askInWords(text, searched, controller.signal)
      } catch (error) {
        if (controller.signal.aborted) return null
        throw error
      }
    },
    onSuccess: (translated) => {
      if (translated?.query) onDraft(translated.query)
    },
  })
  const stop = () => {
    running.current?.abort()
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A drawer is a child of this panel, but not in it.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key !== 'Escape' || !isHere) return
    event.preventDefault()
    if (asked.isPending) stop()
    else onClose()
  }
  return (
    <Paper id={id} withBorder p="sm" component="section" aria-label="Ask in words" onKeyDown={onKeyDown}>
      <Stack gap="sm">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (question.trim() !== '' && !asked.isPending) asked.mutate(question.trim())
          }}
        >
          <Group gap="xs" wrap="nowrap" align="center">
            <TextInput
              ref={input}
              flex={1}
              miw={0}
              aria-label="Question"
              placeholder={PLACEHOLDERS[searched]}
              data-autofocus
              autoFocus
              autoComplete="off"
              maxLength={2000}
              value={question}
              onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
            />
            {asked.isPending ? (
              <Button key="stop" variant="default" onClick={stop}>
                Stop
              </Button>
            ) : (
              <Button key="ask" type="submit" disabled={question.trim() === ''}>
                Ask
              </Button>
            )}
            <ActionIcon variant="subtle" color="gray" aria-label="Close question" onClick={onClose}>
              <Icon name="close" size={14} />
            </ActionIcon>
          </Group>
        </form>
        <AiFaults error={asked.error} />
        <div role="status">
          {asked.isPending && (
            <Group gap="xs">
              <Loader size="xs" />
              <Text size="sm">Translating the question …</Text>
            </Group>
          )}
          {!asked.isPending && asked.data && (
            <TranslatedQuery translated={asked.data} searched={searched} hasFilters={hasFilters} />
          )}
        </div>
      </Stack>
    </Paper>
  )
}
