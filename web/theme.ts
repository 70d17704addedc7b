import { alpha, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** The blue of primary actions. */
const corvus: MantineColorsTuple = [
  '#edf4fb',
  '#d8e6f5',
  '#aecbe9',
  '#82b0de',
  '#5f99d4',
  '#4385c9',
  '#2b72bf',
  '#1f5fa5',
  '#174f8c',
  '#0d3f73',
]

/** Mantine's red with a darker filled shade in the light theme: on the original, neither black nor white text reaches a contrast of 4.5:1. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#c92a2a',
  '#b32121',
  '#9c1c1c',
]

/** Slate in place of Mantine's neutral greys: quieter next to coloured badges, and no pure black. */
const dark: MantineColorsTuple = [
  '#d6dce4',
  '#b4bcc8',
  '#939dab',
  '#6f7a89',
  '#333c48',
  '#272f3a',
  '#1c232c',
  '#141a21',
  '#10151b',
  '#0b0f14',
]

const CLOSE = { 'aria-label': 'Close' }

/** The Mantine theme: quiet greys, small dense type, and one colour for actions. */
export const theme = createTheme({
  primaryColor: 'corvus',
  primaryShade: { light: 7, dark: 6 },
  colors: { corvus, dark, red },
  black: '#1a2029',
  // Text on filled backgrounds is black or white, depending on contrast.
  autoContrast: true,
  luminanceThreshold: 0.18,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.625rem', md: '0.875rem', lg: '1.125rem', xl: '1.75rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A long tag in a narrow column has several lines.
    Badge: {
      defaultProps: { tt: 'none', fw: 600 },
      styles: { root: { height: 'auto', minHeight: 'var(--badge-height)' } },
    },
    // A name without a role is not announced.
    Loader: { defaultProps: { role: 'status' } },
    Drawer: { defaultProps: { closeButtonProps: CLOSE } },
    Modal: { defaultProps: { closeButtonProps: CLOSE, overlayProps: { backgroundOpacity: 0.45, blur: 2 } } },
    Notification: { defaultProps: { closeButtonProps: CLOSE } },
    Menu: { defaultProps: { shadow: 'md' } },
    Select: { defaultProps: { comboboxProps: { shadow: 'md' } } },
    Table: { defaultProps: { verticalSpacing: 6, highlightOnHover: true } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
})

/** Text colours for light backgrounds, dark enough for a contrast of 4.5:1 even on a tint of the same colour. */
const ON_LIGHT: Readonly<Record<string, string>> = {
  corvus: '#1a5594',
  gray: '#495057',
  red: '#b32121',
  pink: '#a61e4d',
  grape: '#862e9c',
  violet: '#5f3dc4',
  indigo: '#3a4db5',
  blue: '#1759a0',
  cyan: '#0b6175',
  teal: '#08655a',
  green: '#1d672b',
  lime: '#456400',
  yellow: '#734900',
  orange: '#8c3a00',
}

const lettersOf = (name: string, colour: string) => ({
  [`--mantine-color-${name}-light-color`]: colour,
  [`--mantine-color-${name}-text`]: colour,
  [`--mantine-color-${name}-outline`]: colour,
})

const letters = (colourOf: (name: string) => string) =>
  Object.assign({}, ...Object.keys(ON_LIGHT).map((name) => lettersOf(name, colourOf(name))))

/** Tints for dark backgrounds: Mantine's defaults are so strong that a list of badges looks like an alarm. */
const tints = (colours: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.keys(ON_LIGHT).flatMap((name) => [
      [`--mantine-color-${name}-light`, alpha(colours[name]?.[6] ?? '#888888', 0.16)],
      [`--mantine-color-${name}-light-hover`, alpha(colours[name]?.[6] ?? '#888888', 0.24)],
    ]),
  )

/** Text colours that are readable in both themes: Mantine's defaults are too pale for small type. */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#565e68',
    '--mantine-color-placeholder': '#68717c',
    '--mantine-color-error': '#b32121',
    '--mantine-color-success': '#1d672b',
    '--mantine-color-default-border': '#cfd5dc',
    '--corvus-ground': '#f6f8fa',
    '--corvus-line': '#e1e6eb',
    ...letters((name) => ON_LIGHT[name] ?? ''),
  },
  dark: {
    '--mantine-color-dimmed': '#a3adba',
    '--mantine-color-placeholder': '#8a94a2',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-success': '#69db7c',
    '--mantine-color-disabled-color': '#8a94a2',
    '--mantine-color-anchor': 'var(--mantine-color-corvus-3)',
    '--corvus-ground': 'var(--mantine-color-dark-8)',
    '--corvus-line': 'var(--mantine-color-dark-5)',
    ...letters((name) => `var(--mantine-color-${name}-3)`),
    ...tints(colors),
  },
})
