import { useMay } from '../../api/session.ts'

/** Whether the user may undo what rules changed. */
export function useMayUndo(): boolean {
  const may = useMay()
  return ['modify rules', 'read entities', 'modify entities'].every(may)
}
