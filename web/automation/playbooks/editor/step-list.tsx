import { Button, Menu, Stack, Text, VisuallyHidden } from '@mantine/core'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import type { FieldFault } from '../../../forms/field-faults.ts'
import { faultsInside } from '../../../forms/field-faults.ts'
import type { SetValue } from '../../../forms/use-draft.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { Names } from '../names.ts'
import type { ObjectCollection, Step, StepKind } from '../playbook.ts'
import { stepInWords } from '../step-words.ts'
import { StepCard } from './step-card.tsx'
import classes from './step-list.module.css'
import { newStep, withCopy, withMoved } from './steps.ts'

interface StepListProps {
  readonly steps: readonly Step[]
  readonly collection: ObjectCollection
  readonly kinds: readonly StepKind[]
  readonly names: Names
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
  /** Replaces the list, after which errors of steps are no longer at their places. */
  readonly onChange: (steps: readonly Step[]) => void
}

/** The steps of a playbook, in their order: they are added, moved, copied and removed. */
export function StepList({ steps, collection, kinds, names, faults, set, onChange }: StepListProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [told, setTold] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const toFocus = useRef<string | null>(null)
  const drag = useDrag((from, to) => move(from, to))
  useEffect(() => {
    // Steps that are moved in the document lose the focus.
    if (toFocus.current === null) return
    list.current?.querySelector<HTMLElement>(toFocus.current)?.focus()
    toFocus.current = null
  })
  const wordsOf = (step: Step) =>
    stepInWords(
      step,
      kinds.find(({ kind }) => kind === step.kind),
      names,
    )
  const toggle = (id: string, isOpen = !open.has(id)) => {
    const next = new Set(open)
    if (isOpen) next.add(id)
    else next.delete(id)
    setOpen(next)
  }
  const move = (from: number, to: number) => {
    const step = steps[from]
    const moved = withMoved(steps, from, to)
    if (!step || moved === steps) return
    const active = document.activeElement instanceof HTMLElement ? document.activeElement.dataset : {}
    toFocus.current = `[data-step="${step.id}"] ${'handle' in active ? '[data-handle]' : '[data-open]'}`
    onChange(moved)
    setTold(`${wordsOf(step)}: moved to position ${moved.indexOf(step) + 1} of ${moved.length}.`)
  }
  const add = (kind: StepKind) => {
    const step = newStep(kind, steps)
    toFocus.current = `[data-step="${step.id}"] [data-open]`
    toggle(step.id, true)
    onChange([...steps, step])
    setTold(`${kind.title}: added as step ${steps.length + 1}.`)
  }
  const duplicate = (place: number) => {
    onChange(withCopy(steps, place))
    setTold(`Step ${place + 1} was duplicated.`)
  }
  const remove = (place: number) => {
    const next = steps[place + 1] ?? steps[place - 1]
    if (next) toFocus.current = `[data-step="${next.id}"] [data-open]`
    onChange(steps.toSpliced(place, 1))
    setTold(`Step ${place + 1} was removed.`)
  }
  return (
    <Stack gap="xs">
      <VisuallyHidden id="how-to-move">Press Alt and an arrow key to move the step, or drag it.</VisuallyHidden>
      <VisuallyHidden role="status" aria-live="polite">
        {told}
      </VisuallyHidden>
      <ol className={classes.list} ref={list} aria-label="Steps">
        {steps.map((step, place) => (
          <StepCard
            key={step.id}
            {...{ step, place, kinds, names, faults, set }}
            earlier={steps.slice(0, place)}
            count={steps.length}
            isOpen={open.has(step.id) || (faults.length > 0 && faultsInside(faults, ['steps', place]).length > 0)}
            onToggle={() => toggle(step.id)}
            move={(to) => move(place, to)}
            duplicate={() => duplicate(place)}
            remove={() => remove(place)}
            {...drag.of(place)}
          />
        ))}
      </ol>
      {steps.length === 0 && (
        <Text size="sm" c="dimmed">
          Add the first step.
        </Text>
      )}
      <AddStep kinds={kinds.filter(({ collections }) => collections.includes(collection))} onAdd={add} />
    </Stack>
  )
}

function AddStep({ kinds, onAdd }: { readonly kinds: readonly StepKind[]; readonly onAdd: (kind: StepKind) => void }) {
  return (
    <Menu position="bottom-start" width={320} withinPortal>
      <Menu.Target>
        <Button variant="light" leftSection={<Icon name="plus" />} style={{ alignSelf: 'flex-start' }}>
          Add step
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflow: 'auto' }}>
        {kinds.map((kind) => (
          <Menu.Item key={kind.kind} onClick={() => onAdd(kind)}>
            {kind.title}
            <Text size="xs" c="dimmed" lineClamp={2}>
              {kind.description}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Which step is dragged, and where it would be dropped. */
function useDrag(onMove: (from: number, to: number) => void) {
  const [from, setFrom] = useState<number | null>(null)
  const [gap, setGap] = useState<number | null>(null)
  const end = () => {
    setFrom(null)
    setGap(null)
  }
  return {
    of: (place: number) => ({
      isDragged: from === place,
      drop: gap === place ? ('before' as const) : gap === place + 1 ? ('after' as const) : null,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(place))
        setFrom(place)
      },
      onDragOver: (event: DragEvent) => {
        if (from === null) return
        event.preventDefault()
        const { top, height } = event.currentTarget.getBoundingClientRect()
        setGap(event.clientY < top + height / 2 ? place : place + 1)
      },
      onDragEnd: end,
      onDrop: (event: DragEvent) => {
        if (from === null || gap === null) return
        event.preventDefault()
        onMove(from, gap > from ? gap - 1 : gap)
        end()
      },
    }),
  }
}
