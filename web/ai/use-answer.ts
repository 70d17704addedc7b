import { useCallback, useEffect, useRef, useState } from 'react'
import { askAi } from './ask-ai.ts'

interface State<R> {
  readonly isBusy: boolean
  /** Whether the user stopped it before its end. */
  readonly isStopped: boolean
  /** The tokens so far. */
  readonly text: string
  /** How far the parts of a long text are read. */
  readonly progress: { readonly step?: string; readonly done: number; readonly total: number } | null
  readonly result: R | null
  readonly error: unknown
}

const IDLE = { isBusy: false, isStopped: false, text: '', progress: null, result: null, error: null }

/** Asks a language model and holds what has arrived. It is stopped when the component goes away. */
export function useAnswer<R>(path: string) {
  const [state, setState] = useState<State<R>>(IDLE)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const stop = useCallback(() => {
    running.current?.abort()
    setState((before) => ({ ...before, isBusy: false, isStopped: true }))
  }, [])
  /** Undefined if it failed or was stopped. */
  const ask = useCallback(
    async (data: object): Promise<R | undefined> => {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      const change = (next: (before: State<R>) => State<R>) => {
        if (!own.signal.aborted) setState(next)
      }
      setState({ ...IDLE, isBusy: true })
      try {
        const result = await askAi<R>(
          path,
          { ...data, include_prompt: true },
          {
            signal: own.signal,
            onEvent: ({ event, data }) => {
              if (event === 'token') change((before) => ({ ...before, text: before.text + data.text, progress: null }))
              if (event === 'progress') change((before) => ({ ...before, progress: data }))
            },
          },
        )
        change(() => ({ ...IDLE, result }))
        return own.signal.aborted ? undefined : result
      } catch (error) {
        change((before) => ({ ...before, isBusy: false, error }))
        return undefined
      }
    },
    [path],
  )
  return { ...state, ask, stop }
}

export type Answer<R> = ReturnType<typeof useAnswer<R>>
