/** A template of a report: its headings stay, and what stands below them is described. */
export interface ReportTemplate {
  readonly name: string
  readonly html: string
}

const section = (heading: string, content: string): string => `<h2>${heading}</h2>\n<p>${content}</p>`
const listed = (heading: string, content: string): string => `<h2>${heading}</h2>\n<ul><li>${content}</li></ul>`

/** The templates that every user can start from. */
export const REPORT_TEMPLATES: readonly ReportTemplate[] = [
  {
    name: 'Briefing',
    html: [
      listed('Key findings', 'Three to five findings'),
      section('What happened', 'The course of events'),
      listed('Recommended action', 'What to do next'),
    ].join('\n'),
  },
  {
    name: 'Incident',
    html: [
      section('Summary', 'What happened, in three sentences'),
      listed('Timeline', 'Each event with its date'),
      section('Impact', 'Which systems, data and people are affected'),
      listed('Techniques', 'Each technique that was used, and how'),
      listed('Response', 'What was done, and what is left to do'),
    ].join('\n'),
  },
  {
    name: 'Threat actor profile',
    html: [
      section('Overview', 'Who the actor is, its other names and its motivation'),
      section('Targets', 'Sectors and countries'),
      listed('Malware and tools', 'Each one with its purpose'),
      listed('Techniques', 'Each technique with an example'),
      listed('Detection', 'How to find the actor'),
    ].join('\n'),
  },
  {
    name: 'Malware analysis',
    html: [
      section('Overview', 'What the malware does, and who uses it'),
      section('Delivery', 'How it reaches its victims'),
      section('Behaviour', 'What it does on a system'),
      section('Network', 'Which servers it calls, and how'),
      listed('Detection', 'How to find it'),
    ].join('\n'),
  },
]
