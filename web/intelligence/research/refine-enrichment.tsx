import { Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { AnswerState } from '../../ai/answer-state.tsx'
import type { Made } from '../../ai/made.ts'
import { madeFrom } from '../../ai/strictest.ts'
import { useAnswer } from '../../ai/use-answer.ts'
import type { Enrichment } from './research.ts'

interface Refined extends Made, Omit<Enrichment, keyof Made | 'title' | 'description' | 'key_highlights'> {
  readonly refinement_output: Enrichment
}

interface RefineEnrichmentProps {
  readonly of: Enrichment
  /** What was asked for before. */
  readonly asked: readonly string[]
  readonly onRefined: (refined: Enrichment, wish: string) => void
}

/** Changes or extends an enrichment by a question or an instruction. */
export function RefineEnrichment({ of, asked, onRefined }: RefineEnrichmentProps) {
  const [wish, setWish] = useState('')
  const answer = useAnswer<Refined>('web-enrichment/refine')
  const refine = async () => {
    const user_query = wish.trim()
    const { sent: _, ...enrichment_output } = of
    const chat_history = asked.map((content) => ({ role: 'user', content }))
    const refined = await answer.ask({ enrichment_output, chat_history, user_query })
    if (!refined) return
    setWish('')
    const { refinement_output, ...checks } = refined
    onRefined(madeFrom(of, { ...checks, ...refinement_output }), user_query)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (wish.trim() !== '' && !answer.isBusy) void refine()
      }}
    >
      <Group align="end" mb="xs">
        <Textarea
          flex="1 1 16rem"
          label="Refine"
          placeholder="For example: which sectors are attacked?"
          autosize
          maxLength={4_000}
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
