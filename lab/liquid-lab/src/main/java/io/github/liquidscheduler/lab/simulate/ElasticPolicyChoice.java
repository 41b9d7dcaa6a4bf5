package io.github.liquidscheduler.lab.simulate;

import io.github.liquidscheduler.lab.reference.elastic.AfsL;
import io.github.liquidscheduler.lab.reference.elastic.ElasticPolicy;
import io.github.liquidscheduler.lab.reference.elastic.ElasticTiresias;
import io.github.liquidscheduler.lab.reference.elastic.ElasticTiresias.Refill;
import io.github.liquidscheduler.lab.reference.elastic.FixedSrtf;
import io.github.liquidscheduler.lab.reference.elastic.FixedTiresias;
import io.github.liquidscheduler.lab.reference.elastic.MarginalGain;
import io.github.liquidscheduler.lab.reference.elastic.OptimusLike;
import io.github.liquidscheduler.lab.reference.elastic.price.ShadowPrice;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The policies of the reference simulation of elastic jobs, and the options each of them heeds. */
enum ElasticPolicyChoice {
  TIRESIAS(ElasticReference.THRESHOLDS),
  ELASTIC_TIRESIAS(
      ElasticReference.THRESHOLDS,
      ElasticReference.PENDING_LIMIT,
      ElasticReference.MIN_FRACTION,
      ElasticReference.LEAST_GAIN,
      ElasticReference.COOL_DOWN,
      ElasticReference.MEASURED_SIZES),
  COMPACTION_ONLY(
      ElasticReference.THRESHOLDS,
      ElasticReference.PENDING_LIMIT,
      ElasticReference.MIN_FRACTION,
      ElasticReference.COOL_DOWN,
      ElasticReference.MEASURED_SIZES),
  COMPACTION_ADMISSION(
      ElasticReference.THRESHOLDS,
      ElasticReference.PENDING_LIMIT,
      ElasticReference.MIN_FRACTION,
      ElasticReference.LEAST_GAIN,
      ElasticReference.COOL_DOWN,
      ElasticReference.MEASURED_SIZES),
  EXPANSION_ONLY(
      ElasticReference.THRESHOLDS,
      ElasticReference.MIN_FRACTION,
      ElasticReference.LEAST_GAIN,
      ElasticReference.COOL_DOWN,
      ElasticReference.MEASURED_SIZES),
  AFS,
  MARGINAL(ElasticReference.LEAST_GAIN, ElasticReference.MEASURED_SIZES),
  OPTIMUS,
  SRTF,
  SHADOW_PRICE,
  SHADOW_PRICE_KNOWN,
  SHADOW_PRICE_STEADY;

  private final Set<String> heeded;

  ElasticPolicyChoice(String... heeded) {
    this.heeded = Set.of(heeded);
  }

  /**
   * Returns the policy called {@code name}.
   *
   * @throws IllegalArgumentException if there is none; the message lists all names
   */
  static ElasticPolicyChoice named(String name) {
    List<ElasticPolicyChoice> all = Arrays.asList(values());
    return all.stream()
        .filter(choice -> choice.policyName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "with --reference elastic, --policy must be one of %s, but was '%s'"
                        .formatted(
                            all.stream()
                                .map(ElasticPolicyChoice::policyName)
                                .collect(Collectors.joining(", ")),
                            name)));
  }

  String policyName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean heeds(String option) {
    return heeded.contains(option);
  }

  ElasticPolicy policy(ElasticReference reference) {
    return switch (this) {
      case TIRESIAS -> new FixedTiresias(reference.queues());
      case ELASTIC_TIRESIAS -> elastic(reference).build();
      case COMPACTION_ONLY -> elastic(reference).refill(Refill.NONE).build();
      case COMPACTION_ADMISSION -> elastic(reference).refill(Refill.ADMISSION).build();
      case EXPANSION_ONLY -> elastic(reference).compacts(false).build();
      case AFS -> new AfsL();
      case MARGINAL ->
          new MarginalGain(
              reference.value(ElasticReference.LEAST_GAIN),
              reference.value(ElasticReference.MEASURED_SIZES));
      case OPTIMUS -> new OptimusLike();
      case SRTF -> new FixedSrtf();
      case SHADOW_PRICE -> ShadowPrice.unknownDurations();
      case SHADOW_PRICE_KNOWN -> ShadowPrice.knownDurations();
      case SHADOW_PRICE_STEADY -> ShadowPrice.steadyLoad();
    };
  }

  private ElasticTiresias.Builder elastic(ElasticReference reference) {
    return reference.applyTo(ElasticTiresias.builder(policyName()));
  }
}
