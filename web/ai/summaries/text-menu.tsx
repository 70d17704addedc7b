import { Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import { useAiFeature } from '../features.ts'
import { ReportBuilder } from './report-builder.tsx'
import { JointSummary, QuickSummary } from './summary-dialog.tsx'

/** The most entities that one text is about. */
export const MAX_ENTITIES = 10

interface TextMenuProps {
  readonly count: number
  /** Reads the ids of the entities. */
  readonly readIds: () => Promise<readonly string[]>
  /** Which entities these are, if the user did not choose them. */
  readonly note?: string | undefined
  /** The title of the entity, if there is only one, which then has a summary of its own. */
  readonly title?: string
  readonly size?: 'sm' | 'compact-sm'
  /** Further entries. */
  readonly children?: ReactNode
}

type Text = 'summary' | 'report'

/** A menu of what language models can do with entities; nothing if none of it is available. */
export function TextMenu({ count, readIds, note, title, size = 'compact-sm', children }: TextMenuProps) {
  const navigate = useNavigate()
  const canSummarise = useAiFeature('ai_intel_summary')
  const canGenerate = useAiFeature('ai_content_generation')
  const [open, setOpen] = useState<{ readonly what: Text; readonly ids: readonly string[] } | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  if (!canSummarise && !canGenerate && !children) return null
  const isTooMany = count > MAX_ENTITIES
  const isOff = isTooMany || count === 0
  const start = (what: Text) => {
    readIds().then((ids) => setOpen({ what, ids }), showErrorToast)
  }
  const generate = () => {
    const go = (ids: readonly string[]) => navigate({ to: '/content-generation', search: { entities: ids.join(',') } })
    readIds().then(go).catch(showErrorToast)
  }
  const close = () => {
    setOpen(null)
    // The entry of the menu that opened the dialog is gone.
    button.current?.focus()
  }
  const [only = ''] = open?.ids ?? []
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button ref={button} size={size} variant="default" leftSection={<Icon name="spark" size={14} />}>
            AI
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isTooMany && <Menu.Label>Select at most {MAX_ENTITIES} entities</Menu.Label>}
          {count === 0 && <Menu.Label>There are no entities</Menu.Label>}
          {canSummarise && (
            <>
              <Menu.Item disabled={isOff} onClick={() => start('summary')}>
                Summarise
              </Menu.Item>
              <Menu.Item disabled={isOff} onClick={() => start('report')}>
                Write report
              </Menu.Item>
            </>
          )}
          {canGenerate && (
            <Menu.Item disabled={isOff} onClick={generate}>
              Write with a prompt
            </Menu.Item>
          )}
          {children}
        </Menu.Dropdown>
      </Menu>
      {open?.what === 'summary' && title !== undefined && <QuickSummary id={only} title={title} onClose={close} />}
      {open?.what === 'summary' && title === undefined && <JointSummary ids={open.ids} note={note} onClose={close} />}
      {open?.what === 'report' && <ReportBuilder ids={open.ids} note={note} onClose={close} />}
    </>
  )
}
