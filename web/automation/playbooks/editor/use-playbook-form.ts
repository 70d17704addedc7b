import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import type { Playbook } from '../../../api/resources.ts'
import {
  type FieldFault,
  faultsIn,
  faultsInside,
  faultsOutside,
  faultText,
  NO_FAULTS,
} from '../../../forms/field-faults.ts'
import { isSame, type Path, pathText } from '../../../forms/paths.ts'
import { useDraft } from '../../../forms/use-draft.ts'
import { renewRules } from '../../rule-actions.ts'
import { PLAYBOOKS } from '../playbook.ts'
import { bodyOf, type PlaybookDraft } from './draft.ts'

interface PlaybookFormOptions {
  /** The id of the playbook to edit; absent for a new one. */
  readonly id: number | undefined
  readonly initial: PlaybookDraft
  /** Whether a new playbook already differs from what could be created again. */
  readonly isPrepared: boolean
  readonly onSaved: (playbook: Playbook) => void
}

const SENT = ['name', 'description', 'is_active', 'template', 'trigger', 'steps']

const PLACES: readonly Path[] = [['name'], ['description'], ['trigger'], ['steps']]

/** The form of a playbook: keeps the input until the server has accepted it, and has its errors by their paths. */
export function usePlaybookForm({ id, initial, isPrepared, onSaved }: PlaybookFormOptions) {
  const [begun] = useState(initial)
  const isSaved = useRef(false)
  const draft = useDraft<PlaybookDraft>(initial)
  const { value, faults, replace, refuse } = draft
  const saved = useMutation({
    mutationFn: async () => {
      const [method, path] =
        id === undefined ? (['POST', 'playbooks'] as const) : (['PATCH', `playbooks/${id}`] as const)
      return (await call<{ data: Playbook }>(method, path, { data: bodyOf(value) })).data
    },
    onMutate: () => refuse(NO_FAULTS),
    onSuccess: (playbook) => {
      isSaved.current = true
      void renewRules(PLAYBOOKS)
      onSaved(playbook)
    },
    onError: (error) => refuse(faultsIn(error, SENT)),
  })
  const change = (changed: Partial<PlaybookDraft>) => {
    replace({ ...value, ...changed })
    // Errors of steps belong to places, which have other steps then.
    const kept = changed.steps === undefined ? faults : faultsOutside(faults, [['steps']])
    const names = Object.keys(changed).map((name): Path => [name])
    refuse(faultsOutside(kept, names))
  }
  const fields = Object.fromEntries(
    PLACES.flatMap((path) => {
      const text = faultText(faultsInside(faults, path), path)
      return text === undefined ? [] : [[pathText(path), text] as const]
    }),
  )
  return {
    value,
    faults,
    set: draft.set,
    change,
    fields,
    others: faultsOutside(faults, PLACES).map(asText),
    isSending: saved.isPending,
    isChanged: () => !isSaved.current && (isPrepared || !isSame(value, begun)),
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      if (!saved.isPending) saved.mutate()
    },
  }
}

const asText = ({ path, text }: FieldFault): string => (path === '' ? text : `${path}: ${text}`)
