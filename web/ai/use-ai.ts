import { useCallback, useEffect, useRef, useState } from 'react'
import { type AiEvent, askAi } from './ask-ai.ts'

/** What is known about a request to a language model. */
export interface Asked<R> {
  readonly isRunning: boolean
  /** Parts done, of long texts. */
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly result: R | null
  readonly error: unknown
}

const IDLE = { isRunning: false, progress: null, result: null, error: null }

/** Asks one question at a time. Stopping, asking again and leaving the page end the question before. */
export function useAi<R>(path: string) {
  const [asked, setAsked] = useState<Asked<R>>(IDLE)
  const running = useRef<AbortController>(null)
  const stop = useCallback(() => {
    running.current?.abort()
    running.current = null
    setAsked((before) => ({ ...before, isRunning: false, progress: null }))
  }, [])
  useEffect(() => () => running.current?.abort(), [])
  const ask = useCallback(
    async (data: object) => {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      const update = (change: Partial<Asked<R>>) => {
        if (running.current === own) setAsked((before) => ({ ...before, ...change }))
      }
      setAsked({ ...IDLE, isRunning: true })
      const onEvent = ({ event, data: said }: AiEvent) => {
        if (event === 'progress') update({ progress: said })
      }
      try {
        const result = await askAi<R>(path, { ...data, include_prompt: true }, { onEvent, signal: own.signal })
        update({ isRunning: false, result })
      } catch (error) {
        if (!own.signal.aborted) update({ isRunning: false, error })
      }
    },
    [path],
  )
  return { ...asked, ask, stop }
}
