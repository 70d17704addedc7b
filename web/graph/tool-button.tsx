import { ActionIcon, Tooltip } from '@mantine/core'

/** Icons of the toolbar, each as one stroke on a 24×24 canvas. */
const TOOLS = {
  undo: 'M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 6l5 5-5 5M20 11H10a6 6 0 0 0 0 12h3',
  zoomIn: 'M12 5v14M5 12h14',
  zoomOut: 'M5 12h14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  stop: 'M7 7h10v10H7z',
} as const

interface ToolButtonProps {
  readonly tool: keyof typeof TOOLS
  readonly label: string
  readonly isDisabled?: boolean
  readonly onClick: () => void
}

/** A small toolbar button with a tooltip. */
export const ToolButton = ({ tool, label, isDisabled = false, onClick }: ToolButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant="default"
      size="md"
      aria-label={label}
      {...(isDisabled && { 'data-disabled': true })}
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onClick()}
    >
      <svg
        viewBox="0 0 24 24"
        width={15}
        height={15}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={TOOLS[tool]} />
      </svg>
    </ActionIcon>
  </Tooltip>
)
