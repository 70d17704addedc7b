/** What a summary or report pays attention to, by its type. */
export const PERSPECTIVES = {
  contextual:
    'Explain how the entities are connected, and what they mean in the context that the analyst asks about. Begin with the answer.',
  strategic:
    'Write for decision makers: who acts and why, who is affected, what it may cost, and which decisions it calls for. Leave out technical detail ' +
    'that changes no decision.',
  technical:
    'Write for analysts and responders: behaviour, techniques, infrastructure, vulnerabilities, and how to detect and stop it. Name every ' +
    'indicator that the data names and that matters.',
  custom: 'Follow the instruction of the analyst.',
} as const

export const SUMMARY_TYPES = ['contextual', 'strategic', 'technical', 'custom'] as const
export const REPORT_TYPES = ['strategic', 'technical', 'custom'] as const
