/** Programs that read shops for people and for models, by what their user agent says of them; kept by hand from what their makers publish. */

/** What it comes for: to answer one person now, to build an index or a model, or to search as people do. */
export type AgentKind = 'assistant' | 'crawler' | 'search'

interface KnownAgent {
  readonly name: string
  readonly kind: AgentKind
  /** In the user agent, followed by a slash and the version where it tells one. */
  readonly token: string
}

export const knownAgents: readonly KnownAgent[] = [
  { name: 'ChatGPT', kind: 'assistant', token: 'ChatGPT-User' },
  { name: 'OpenAI search', kind: 'search', token: 'OAI-SearchBot' },
  { name: 'OpenAI', kind: 'crawler', token: 'GPTBot' },
  { name: 'Claude', kind: 'assistant', token: 'Claude-User' },
  { name: 'Claude search', kind: 'search', token: 'Claude-SearchBot' },
  { name: 'Anthropic', kind: 'crawler', token: 'ClaudeBot' },
  { name: 'Perplexity', kind: 'assistant', token: 'Perplexity-User' },
  { name: 'Perplexity search', kind: 'search', token: 'PerplexityBot' },
  { name: 'Mistral', kind: 'assistant', token: 'MistralAI-User' },
  { name: 'DuckAssist', kind: 'assistant', token: 'DuckAssistBot' },
  { name: 'Meta', kind: 'assistant', token: 'meta-externalfetcher' },
  { name: 'Meta', kind: 'crawler', token: 'meta-externalagent' },
  { name: 'Google', kind: 'assistant', token: 'Google-NotebookLM' },
  { name: 'Google', kind: 'search', token: 'Googlebot' },
  { name: 'Google shopping', kind: 'search', token: 'Storebot-Google' },
  { name: 'Bing', kind: 'search', token: 'bingbot' },
  { name: 'Apple', kind: 'search', token: 'Applebot' },
  { name: 'Amazon', kind: 'crawler', token: 'Amazonbot' },
  { name: 'ByteDance', kind: 'crawler', token: 'Bytespider' },
  { name: 'Common Crawl', kind: 'crawler', token: 'CCBot' },
  { name: 'Cohere', kind: 'crawler', token: 'cohere-training-data-crawler' },
]
