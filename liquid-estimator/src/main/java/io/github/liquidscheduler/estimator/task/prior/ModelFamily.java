package io.github.liquidscheduler.estimator.task.prior;

import org.jspecify.annotations.Nullable;

/**
 * The published numbers of a family of models, or those of its architecture. Our own tables,
 * shipped as {@code model-families.csv} and {@code transformers.csv}.
 *
 * @param name the name, lower case letters and digits only, such as {@code resnet50}
 * @param lineage the families it descends from and resembles, such as {@code resnet}
 * @param kind what it is made of, such as {@code convolution} or {@code attention}
 * @param parameters the number of parameters
 * @param forwardMacs multiply-accumulates of one forward pass of one sample of reference size
 * @param keptElements the numbers kept for the backward pass of one sample of reference size: the
 *     outputs of convolutions, products, normalisations, poolings and concatenations, and twice the
 *     widest of them
 * @param referenceSize the side of the image, or the length of the sequence, of the figures above
 * @param convolves whether it convolves windows that overlap, whatever else it does
 * @param scratchBytes what its widest such convolution needs besides, computed by Fourier
 *     transforms: a complex number of 8 bytes per pair of channels and point of the transform, of
 *     which there are at most 32 &times; 17 (cuDNN transforms larger images in tiles)
 * @param transformer the configuration, if it is a transformer that the table has
 */
public record ModelFamily(
    String name,
    String lineage,
    String kind,
    double parameters,
    double forwardMacs,
    double keptElements,
    double referenceSize,
    boolean convolves,
    double scratchBytes,
    @Nullable Transformer transformer) {

  /** Returns a family that is no transformer, or whose configuration is not known. */
  static ModelFamily of(String[] row) {
    return new ModelFamily(
        row[0],
        row[1],
        row[2],
        Double.parseDouble(row[3]),
        Double.parseDouble(row[4]),
        Double.parseDouble(row[5]),
        Double.parseDouble(row[6]),
        Boolean.parseBoolean(row[7]),
        Double.parseDouble(row[8]),
        null);
  }

  /** Returns a transformer; what it keeps follows from its configuration. */
  static ModelFamily of(String name, String lineage, double parameters, Transformer transformer) {
    double tokens = transformer.tokens(transformer.reference());
    return new ModelFamily(
        name,
        lineage,
        "attention",
        parameters,
        parameters * tokens + transformer.attentionMacs(tokens),
        transformer.kept(tokens, transformer.fuses()) + transformer.scores(tokens),
        transformer.reference(),
        false,
        0,
        transformer);
  }

  /** Returns the factor by which activations and work grow for samples of {@code size}. */
  double growth(double size) {
    double ratio = size / referenceSize;
    return kind.equals("convolution") ? ratio * ratio : ratio;
  }

  /** Returns the family with as many parameters instead, if that makes it another size. */
  ModelFamily resized(double stated) {
    double ratio = stated / parameters;
    boolean isSameSize = ratio > 0.7 && ratio < 1.4;
    return transformer == null || isSameSize
        ? this
        : of(name, lineage, stated, transformer.scaled(ratio));
  }
}
