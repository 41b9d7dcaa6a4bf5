package io.github.liquidscheduler.estimator.task.prior;

/**
 * The published configuration of a transformer, and what a training step keeps for the backward
 * pass of one sample. Our own table, shipped as {@code transformers.csv}.
 *
 * <p>Per token and layer that is: what both normalisations read and write, queries, keys, values,
 * the output of the attention, and what the feed-forward part reads and writes: 16 times the width
 * where it is four times as wide. Attention that is not fused also keeps a square of numbers per
 * head: its softmax, and where it drops weights out, a mask of a byte and the product (Korthikanti
 * et al., "Reducing Activation Recomputation in Large Transformer Models", equation 1, less what 16
 * bits save).
 *
 * @param layers the layers, of the encoder if there are two stacks
 * @param hidden the width
 * @param heads the attention heads
 * @param keyValueHeads the heads of keys and values
 * @param headWidth the width of a head
 * @param feedForward the inner width of the feed-forward part, over the experts that a token visits
 * @param gated whether the feed-forward part multiplies two products
 * @param vocabulary the tokens that the last layer scores; 0 if it scores none
 * @param reference tokens of a sample if nothing is said, or the side of its image
 * @param patch the side of the part of an image that makes a token; 0 for text and sound
 * @param decoderLayers the layers of a second stack, which also attends to the first
 * @param decoderTokens the tokens of that stack
 * @param dropsAttention whether attention weights are dropped out by default
 * @param fuses whether attention is fused by default
 */
public record Transformer(
    double layers,
    double hidden,
    double heads,
    double keyValueHeads,
    double headWidth,
    double feedForward,
    boolean gated,
    double vocabulary,
    double reference,
    double patch,
    double decoderLayers,
    double decoderTokens,
    boolean dropsAttention,
    boolean fuses) {
  private static final double WITH_DROPOUT = 2.25;

  /** Scores, their log-softmax and the gradient of the scores. */
  private static final double COPIES_OF_SCORES = 3;

  /** Returns the tokens of a sample whose image has this side, or which is as long. */
  double tokens(double size) {
    return patch == 0 ? size : Math.pow(Math.floor(size / patch), 2) + 1;
  }

  /** Returns the numbers kept for a sample of {@code tokens}, without the scores of its tokens. */
  double kept(double tokens, boolean isFused) {
    double second = decoderTokens(tokens);
    return layers * (tokens * perToken() + squares(tokens, tokens, isFused))
        + decoderLayers * (second * (perToken() + attention()) + tokens * 2 * keyValueWidth())
        + decoderLayers * (squares(second, second, isFused) + squares(second, tokens, isFused));
  }

  /** Returns the numbers kept if every layer is computed again for the backward pass. */
  double checkpointed(double tokens, boolean isFused) {
    double oneLayer = kept(tokens, isFused) / (layers + decoderLayers);
    return hidden * (layers * tokens + decoderLayers * decoderTokens(tokens)) + oneLayer;
  }

  /** Returns the numbers of four bytes that scoring the tokens of a sample takes. */
  double scores(double tokens) {
    return COPIES_OF_SCORES * vocabulary * (decoderLayers > 0 ? decoderTokens(tokens) : tokens);
  }

  /** Returns the numbers that a sample of {@code tokens} leaves in the cache of a server. */
  double cached(double tokens) {
    return vocabulary == 0 ? 0 : 2 * keyValueWidth() * (layers + decoderLayers) * tokens;
  }

  /** Returns the parameters of adapters of this rank at queries and values, or at all products. */
  double adapters(double rank, boolean everywhere) {
    double query = hidden + heads * headWidth;
    double value = hidden + keyValueWidth();
    double rest = query + value + (gated ? 3 : 2) * (hidden + feedForward);
    return rank * (layers + decoderLayers) * (query + value + (everywhere ? rest : 0));
  }

  /** Returns the multiply-accumulates of the squares of attention, of a sample. */
  double attentionMacs(double tokens) {
    return 2 * (layers + decoderLayers) * heads * headWidth * tokens * tokens;
  }

  /** Returns a transformer of {@code ratio} times the parameters: as much deeper as wider. */
  Transformer scaled(double ratio) {
    double by = Math.cbrt(ratio);
    return new Transformer(
        layers * by,
        hidden * by,
        heads * by,
        keyValueHeads * by,
        headWidth,
        feedForward * by,
        gated,
        vocabulary,
        reference,
        patch,
        decoderLayers * by,
        decoderTokens,
        dropsAttention,
        fuses);
  }

  /** Sound and images of fixed length do not change the length of the second stack. */
  private double decoderTokens(double tokens) {
    return decoderTokens == reference ? tokens : decoderTokens;
  }

  private double perToken() {
    return 2 * hidden + attention() + 2 * keyValueWidth() + (gated ? 4 : 2) * feedForward;
  }

  private double attention() {
    return 2 * hidden + 2 * heads * headWidth;
  }

  private double keyValueWidth() {
    return keyValueHeads * headWidth;
  }

  private double squares(double rows, double columns, boolean isFused) {
    return isFused ? 0 : heads * (dropsAttention ? WITH_DROPOUT : 1) * rows * columns;
  }
}
