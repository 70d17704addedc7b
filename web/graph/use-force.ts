import { useReducedMotion } from '@mantine/hooks'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { shownOf } from './filters.ts'
import { runForce, taskOf } from './force.ts'
import { arrange, type Drawing } from './model.ts'
import type { Stage } from './stage.ts'
import type { DrawingState } from './use-drawing.ts'

/** The force layout running in the background. */
export interface Force {
  readonly isRunning: boolean
  /** Lays out all visible nodes, or only some of them among the others. */
  settle(moving?: ReadonlySet<string>): void
  stop(): void
}

/** Runs the force layout; its result is part of the previous step. */
export function useForce(drawing: DrawingState, stage: RefObject<Stage | null>): Force {
  const [isRunning, setIsRunning] = useState(false)
  const halt = useRef<(() => void) | null>(null)
  const isStill = useReducedMotion()
  const stop = useCallback(() => halt.current?.(), [])
  useEffect(() => stop, [stop])
  const settle = (moving?: ReadonlySet<string>) => {
    halt.current?.()
    const now: Drawing = drawing.now()
    const keys = [...shownOf(now).nodes]
    if (keys.length < 2) return
    const fixed = new Set(moving ? keys.filter((key) => !moving.has(key)) : [])
    setIsRunning(true)
    halt.current = runForce(taskOf(now, keys, fixed), keys, {
      move: (points) => !isStill && stage.current?.move(points),
      done: (points) => {
        halt.current = null
        setIsRunning(false)
        drawing.amend((before) => arrange(before, points))
      },
    })
  }
  return { isRunning, settle, stop }
}
