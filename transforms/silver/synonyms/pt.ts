/** Portuguese column names. */
import type { ColumnNames } from './column-names.ts'

export const pt: ColumnNames = {
  sku: 'código do produto | referência | código produto | código do artigo | código do item | cód produto | referência do produto | código interno | código sku',
  source_id: 'id produto | id do produto | identificador do produto | id do anúncio | id item',
  gtin: 'código de barras | código ean | cód barras | código de barra | ean produto',
  mpn: 'referência do fabricante | código do fabricante | número da peça | part number fabricante | número do modelo | referência fabricante',
  brand: 'marca | fabricante | nome da marca | marca do produto',
  title: 'nome do produto | nome produto | título | nome | título do produto | nome do item | título do anúncio',
  description:
    'descrição | descrição do produto | descrição completa | descrição longa | descrição detalhada | descrição complementar',
  short_description: 'descrição curta | resumo | descrição breve | descrição resumida',
  link: 'link do produto | url do produto | endereço do produto | link produto | página do produto | url produto',
  price:
    'preço | preço de venda | valor | preço venda | preço final | preço unitário | valor de venda | preço com iva | preço por | preço cheio',
  sale_price:
    'preço promocional | preço de oferta | preço com desconto | preço em promoção | valor promocional | preço promoção',
  original_price:
    'preço original | preço de | preço de lista | preço anterior | preço antigo | preço sugerido | preço recomendado | preço de tabela',
  currency: 'moeda | código da moeda | moeda do preço',
  availability:
    'disponibilidade | disponível | em estoque | situação do estoque | em stock | status do estoque | estado do stock',
  quantity:
    'quantidade | estoque | quantidade em estoque | saldo | qtd | quantidade disponível | saldo em estoque | quantidade em stock | qtde',
  track_stock: 'gerenciar estoque | controlar estoque | controle de estoque | gerir stock | rastrear estoque',
  allow_backorder:
    'permitir encomendas | permitir encomenda | vender sem estoque | permitir venda sem estoque | aceitar encomendas',
  condition: 'condição | estado do produto | condição do item | condição do produto | estado do artigo',
  category:
    'categoria | categorias | categoria do produto | departamento | seção | tipo de produto | árvore de categorias | família | categoria principal | grupo de produtos',
  google_product_category:
    'categoria google | categoria do google | categoria de produto do google | categoria google shopping | taxonomia google',
  image: 'imagem principal | foto principal | imagem de destaque | imagem capa',
  images:
    'imagem | imagens | url da imagem | foto | fotos | url imagem | link da imagem | imagem do produto | imagens adicionais | imagens externas | url das imagens | galeria de imagens',
  item_group_id:
    'sku pai | id do grupo | grupo de itens | id pai | código pai | produto pai | referência pai | agrupador',
  color: 'cor | cores | cor do produto | nome da cor',
  size: 'tamanho | numeração | tamanhos | tamanho do produto',
  material: 'materiais | tecido | material do produto',
  pattern: 'padrão | estampa | padronagem',
  gender: 'gênero | sexo | gênero alvo',
  age_group: 'faixa etária | grupo etário | grupo de idade',
  weight: 'peso | peso líquido | peso bruto | peso do produto | peso de envio | peso produto',
  seo_title: 'título seo | meta título | título da página',
  seo_description: 'descrição seo | meta descrição | meta descrição do produto | descrição meta',
  tags: 'palavras chave | etiquetas | marcadores | palavras chaves',
  attributes: 'atributos json | atributos | características json',
  sale_price_effective_date: 'período de oferta | período promocional',
  sale_price_start_date: 'início da promoção',
  sale_price_end_date: 'fim da promoção',
  unit_pricing_measure: 'conteúdo líquido',
  unit_pricing_base_measure: 'unidade de preço',
  availability_date: 'data de disponibilidade | disponível a partir de',
  expiration_date: 'oferta válida até',
  weight_unit: 'unidade de peso',
  dimensions: 'dimensões | medidas do produto',
  dimensions_unit: 'unidade de dimensão',
  length: 'comprimento | profundidade',
  width: 'largura',
  height: 'altura',
}
