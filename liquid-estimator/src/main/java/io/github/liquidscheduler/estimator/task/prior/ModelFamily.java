package io.github.liquidscheduler.estimator.task.prior;

/**
 * What is published about a family of models, or follows from its architecture. Our own table,
 * shipped as {@code model-families.csv}.
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
    double scratchBytes) {

  /** Returns how activations and work grow when the sample has {@code size} instead. */
  double growth(double size) {
    double ratio = size / referenceSize;
    return kind.equals("convolution") ? ratio * ratio : ratio;
  }
}
