import { ActionIcon, Badge, Collapse, Menu, Paper, Text, UnstyledButton } from '@mantine/core'
import type { DragEvent, KeyboardEvent } from 'react'
import { faultsInside } from '../../../forms/field-faults.ts'
import { Icon } from '../../../ui/icon.tsx'
import { stepInWords, stepSentence } from '../step-words.ts'
import { StepForm, type StepFormProps } from './step-form.tsx'
import classes from './step-list.module.css'

export interface StepActions {
  move(to: number): void
  duplicate(): void
  remove(): void
}

interface StepCardProps extends StepFormProps, StepActions {
  readonly count: number
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** Where a dragged step would be dropped, relative to this one. */
  readonly drop: 'before' | 'after' | null
  readonly isDragged: boolean
  readonly onDragStart: (event: DragEvent) => void
  readonly onDragOver: (event: DragEvent) => void
  readonly onDragEnd: () => void
  readonly onDrop: (event: DragEvent) => void
}

/** A step as a sentence, which opens its inputs. Alt and an arrow key move it. */
export function StepCard({
  count,
  isOpen,
  onToggle,
  move,
  duplicate,
  remove,
  drop,
  isDragged,
  ...props
}: StepCardProps) {
  const { step, place, earlier, kinds, names, faults } = props
  const kind = kinds.find((each) => each.kind === step.kind)
  const words = stepInWords(step, kind, names)
  const sentence = stepSentence([...earlier, step], place, kinds, names)
  const wrong = faultsInside(faults, ['steps', place]).length
  const press = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(place + (event.key === 'ArrowUp' ? -1 : 1))
  }
  const isDropped = drop === null ? '' : classes[drop]
  return (
    <Paper
      withBorder
      p="xs"
      component="li"
      data-step={step.id}
      aria-label={`Step ${place + 1}: ${words}`}
      className={[isDropped, isDragged ? classes.dragged : ''].join(' ')}
      onDragOver={props.onDragOver}
      onDrop={props.onDrop}
    >
      <div className={classes.head}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.handle}
          draggable
          aria-label={`Move step ${place + 1}`}
          aria-describedby="how-to-move"
          data-handle
          onKeyDown={press}
          onDragStart={props.onDragStart}
          onDragEnd={props.onDragEnd}
        >
          <Icon name="grip" />
        </ActionIcon>
        <UnstyledButton className={classes.open} aria-expanded={isOpen} data-open onClick={onToggle} onKeyDown={press}>
          <Text component="span" size="sm" c="dimmed" className={classes.number}>
            {place + 1}.
          </Text>{' '}
          {sentence.condition && (
            <Text component="span" size="sm" fw={600}>
              {sentence.condition}:{' '}
            </Text>
          )}
          <Text component="span" size="sm">
            {sentence.words}
          </Text>{' '}
          {wrong > 0 && (
            <Badge color="red" variant="light" size="sm" radius="xs">
              {wrong === 1 ? '1 error' : `${wrong} errors`}
            </Badge>
          )}
        </UnstyledButton>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for step ${place + 1}`}>
              ⋯
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={place === 0} onClick={() => move(place - 1)} rightSection={<Keys text="Alt ↑" />}>
              Move up
            </Menu.Item>
            <Menu.Item
              disabled={place === count - 1}
              onClick={() => move(place + 1)}
              rightSection={<Keys text="Alt ↓" />}
            >
              Move down
            </Menu.Item>
            <Menu.Item onClick={duplicate}>Duplicate</Menu.Item>
            <Menu.Item color="red" onClick={remove}>
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <div style={{ padding: '8px 4px 4px' }}>
            <StepForm {...props} />
          </div>
        )}
      </Collapse>
    </Paper>
  )
}

const Keys = ({ text }: { readonly text: string }) => (
  <Text size="xs" c="dimmed">
    {text}
  </Text>
)
