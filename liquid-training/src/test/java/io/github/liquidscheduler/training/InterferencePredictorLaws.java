package io.github.liquidscheduler.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.testkit.InterferencePredictorContract;
import io.github.liquidscheduler.training.interference.Learners;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Group;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** What a predictor of interference promises, whatever it predicts from. */
@SuppressWarnings("ClassCanBeStatic") // Groups have to be inner classes.
class InterferencePredictorLaws {

  /** What predictors predict from. */
  private enum Source {
    UTILISATION,
    SHIPPED_NETWORK,
    TRAINED_NETWORK,
    TREES,
    NETWORK_AND_TREES,
    SIMILARITY,
    ALL_SHIPPED,
    ALL_SHIPPED_AND_MEASURED
  }

  private static final Map<Source, CompositePredictor> OLD = new EnumMap<>(Source.class);
  private static final Map<Source, PredictorState> STATES = new EnumMap<>(Source.class);

  private abstract static class Laws extends InterferencePredictorContract {
    private final Source source;

    Laws(Source source) {
      this.source = source;
    }

    /** Returns a predictor that was asked much before. */
    @Override
    protected InterferencePredictor predictor() {
      return OLD.computeIfAbsent(source, InterferencePredictorLaws::predictor);
    }

    @Override
    protected PredictorState learned() {
      return STATES.computeIfAbsent(source, each -> state(each, predictor()));
    }

    /** Each young one is loaded from its files, which takes much longer than to answer. */
    @Property(tries = 25)
    void aYoungPredictorAnswersAsAnOldOne(
        @ForAll @Size(4) List<@From("queries") ColocationQuery> all) {
      try (CompositePredictor young = InterferencePredictorLaws.predictor(source)) {
        PredictorState state = state(source, young);
        for (ColocationQuery asked : all) {
          assertThat(young.retainedSpeed(asked, state))
              .isEqualTo(predictor().retainedSpeed(asked, learned()));
        }
      }
    }
  }

  @Group
  class FromUtilisation extends Laws {
    FromUtilisation() {
      super(Source.UTILISATION);
    }
  }

  @Group
  class FromTheShippedNetwork extends Laws {
    FromTheShippedNetwork() {
      super(Source.SHIPPED_NETWORK);
    }
  }

  @Group
  class FromATrainedNetwork extends Laws {
    FromATrainedNetwork() {
      super(Source.TRAINED_NETWORK);
    }
  }

  @Group
  class FromTrees extends Laws {
    FromTrees() {
      super(Source.TREES);
    }
  }

  @Group
  class FromNetworkAndTrees extends Laws {
    FromNetworkAndTrees() {
      super(Source.NETWORK_AND_TREES);
    }
  }

  @Group
  class FromSimilarity extends Laws {
    FromSimilarity() {
      super(Source.SIMILARITY);
    }
  }

  @Group
  class FromAllShipped extends Laws {
    FromAllShipped() {
      super(Source.ALL_SHIPPED);
    }
  }

  @Group
  class FromAllShippedAndMeasurements extends Laws {
    FromAllShippedAndMeasurements() {
      super(Source.ALL_SHIPPED_AND_MEASURED);
    }
  }

  /** Returns what the predictor has learned: all pairs of the made-up law, if it measures. */
  private static PredictorState state(Source source, InterferencePredictor predictor) {
    PredictorState state = PredictorState.NONE;
    if (source == Source.ALL_SHIPPED_AND_MEASURED) {
      for (Measurement each : MadeUpPairs.MEASUREMENTS) {
        state = predictor.observe(state, each.colocation(), each.retainedSpeed());
      }
    }
    return state;
  }

  private static CompositePredictor predictor(Source source) {
    CompositePredictor.Builder builder = CompositePredictor.builder();
    return switch (source) {
      case UTILISATION -> builder.build();
      case SHIPPED_NETWORK -> builder.model(shippedNetwork(), "a test").build();
      case TRAINED_NETWORK -> builder.model(MadeUpPairs.model(Learners.NETWORK), "a test").build();
      case TREES -> builder.model(MadeUpPairs.model(Learners.TREES), "a test").build();
      case NETWORK_AND_TREES ->
          builder
              .model(MadeUpPairs.model(Learners.NETWORK), "a test")
              .model(MadeUpPairs.model(Learners.TREES), "a test")
              .build();
      case SIMILARITY -> builder.similarity(NeuralSimilarity.shipped()).build();
      case ALL_SHIPPED, ALL_SHIPPED_AND_MEASURED -> CompositePredictor.shipped();
    };
  }

  private static byte[] shippedNetwork() {
    try (InputStream stream = CompositePredictor.class.getResourceAsStream("interference.onnx")) {
      return Objects.requireNonNull(stream).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
