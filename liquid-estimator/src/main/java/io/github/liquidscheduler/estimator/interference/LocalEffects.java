package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.LocalPair;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.DecompositionSolver;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * The effects of pairs on one GPU model, from those watched there: a Gaussian process over the
 * errors of the models.
 *
 * <p>The idea: of the variance that the models promise for a pair, a part is the victim's own (its
 * sensitivity, beside anybody), a part the co-runner's (its pressure), a part what like victims do
 * beside like co-runners, and the rest is the pair's alone. Batch sizes of a family are alike,
 * families are not. So a watched pair tells of its victim, of its co-runner, and most of itself,
 * whether the models know these classes or not. Off by more than promised, all variances grow, as
 * in a Student process (Shah, Wilson, Ghahramani, 2014).
 *
 * <p>Cost: cubic in the pairs, at most {@value #MOST}, when the first question is asked after an
 * observation; quadratic for the first question about a pair of classes, constant afterwards. Pairs
 * beyond, watched the longest ago, tell of themselves only.
 */
final class LocalEffects {
  static final int MOST = 64;

  /** Standard deviations of a normal distribution within its 90 % interval. */
  static final double DEVIATIONS = 1.645;

  /** The 90 % error of one measurement. */
  static final double MEASUREMENT = 0.05;

  private static final double OF_VICTIM = 0.36;
  private static final double OF_OTHER = 0.36;
  private static final double OF_LIKE_PAIRS = 0.19;
  private static final double OF_PAIR = 0.09;

  /** The number of watched pairs that the promise itself counts for. */
  private static final double PROMISED = 8;

  private static final int MOST_REMEMBERED = 16_384;

  /**
   * What is known of a pair, in units of the error that the models promise for it.
   *
   * @param shift what to add to their answer
   * @param left the error that is left
   */
  record Effect(double shift, double left) {

    /** Returns the effect once the pair itself was watched, whatever others tell. */
    Effect with(WatchedPairs.Watched watched) {
      double noise = MEASUREMENT / watched.error();
      double known = left * left;
      double gain = known / (known + noise * noise / watched.count());
      double off = watched.mean() / watched.error();
      return new Effect(shift + gain * (off - shift), left * Math.sqrt(1 - gain));
    }
  }

  private final ClassLikeness likeness;
  private final int[] victims;
  private final int[] others;
  private final Set<LocalPair> included;
  private final DecompositionSolver covariances;
  private final RealVector weights;
  private final double scale;
  private final Map<LocalPair, Effect> remembered = new LinkedHashMap<>();

  /**
   * Learns from watched pairs.
   *
   * @param pairs the pairs, each once
   * @param watched what each was off by, at the same position
   * @param likeness how like classes are
   */
  LocalEffects(List<LocalPair> pairs, List<WatchedPairs.Watched> watched, ClassLikeness likeness) {
    this.likeness = likeness;
    victims = pairs.stream().mapToInt(pair -> likeness.number(pair.victim())).toArray();
    others = pairs.stream().mapToInt(pair -> likeness.number(pair.other())).toArray();
    included = new LinkedHashSet<>(pairs);
    int count = pairs.size();
    RealVector off = new ArrayRealVector(count);
    RealMatrix matrix = MatrixUtils.createRealMatrix(count, count);
    for (int i = 0; i < count; i++) {
      double error = watched.get(i).error();
      double noise = MEASUREMENT / error;
      off.setEntry(i, DEVIATIONS * watched.get(i).mean() / error);
      RealVector row = covariances(pairs.get(i));
      for (int k = 0; k <= i; k++) {
        // Equal to the last bit, which the likeness of one class to another is not.
        matrix.setEntry(i, k, row.getEntry(k));
        matrix.setEntry(k, i, row.getEntry(k));
      }
      matrix.addToEntry(i, i, noise * noise / watched.get(i).count());
    }
    covariances = new CholeskyDecomposition(matrix).getSolver();
    weights = covariances.solve(off);
    scale = (PROMISED + off.dotProduct(weights)) / (PROMISED + count);
  }

  /** Returns true if this has learned from the pair itself. */
  boolean includes(LocalPair pair) {
    return included.contains(pair);
  }

  /** Returns the known effect of a pair. */
  Effect of(LocalPair pair) {
    Effect known = remembered.get(pair);
    if (known == null) {
      known = effect(pair);
      if (remembered.size() >= MOST_REMEMBERED) {
        remembered.clear();
      }
      remembered.put(pair, known);
    }
    return known;
  }

  private Effect effect(LocalPair pair) {
    RealVector own = covariances(pair);
    double left = covariance(1, 1, true) - own.dotProduct(covariances.solve(own));
    return new Effect(own.dotProduct(weights) / DEVIATIONS, Math.sqrt(scale * Math.max(0, left)));
  }

  /** Returns the covariances of a pair with the watched ones. */
  private RealVector covariances(LocalPair pair) {
    double[] ofVictim = likeness.to(pair.victim());
    double[] ofOther = likeness.to(pair.other());
    double[] covariances = new double[victims.length];
    for (int i = 0; i < covariances.length; i++) {
      double likeVictim = ofVictim[victims[i]];
      double likeOther = ofOther[others[i]];
      covariances[i] = covariance(likeVictim, likeOther, likeVictim == 1 && likeOther == 1);
    }
    return new ArrayRealVector(covariances, false);
  }

  private static double covariance(double victims, double others, boolean isSame) {
    double same = isSame ? OF_PAIR : 0;
    return OF_VICTIM * victims + OF_OTHER * others + OF_LIKE_PAIRS * victims * others + same;
  }
}
