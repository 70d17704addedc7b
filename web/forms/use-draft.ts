import { useCallback, useState } from 'react'
import { type FieldFault, isPathInside, NO_FAULTS } from './field-faults.ts'
import { type Path, pathText, withValue } from './paths.ts'

/** Changes the value at a path of a draft. */
export type SetValue = (path: Path, value: unknown) => void

/** The document being edited and its validation errors. */
export interface DraftState<T> {
  readonly value: T
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
  replace(value: T): void
  refuse(faults: readonly FieldFault[]): void
}

/** Holds a document while it is edited; changing a field clears its errors. */
export function useDraft<T>(initial: T): DraftState<T> {
  const [value, setWhole] = useState(initial)
  const [faults, setFaults] = useState(NO_FAULTS)
  const set = useCallback<SetValue>((path, next) => {
    setWhole((before) => withValue(before, path, next) as T)
    const place = pathText(path)
    setFaults((before) => {
      const left = before.filter((fault) => !isPathInside(fault.path, place))
      return left.length === before.length ? before : left
    })
  }, [])
  return { value, faults, set, replace: setWhole, refuse: setFaults }
}
